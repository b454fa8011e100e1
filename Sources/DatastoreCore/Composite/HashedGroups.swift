import Basics

/// Groups of rows that arrive one by one, found by the values of their keys, so that no row is kept and none
/// is sorted.
///
/// Keys are equal if SQLite considers them equal without a collation: NULL is a value, 1 equals 1.0, texts
/// compare by bytes. A group has the keys of its first row. Aggregates are computed by
/// `AggregateAccumulator`, as in SQL.
package struct HashedGroups {
  /// The values to read from each row, each once: a value, or the operand of an aggregate.
  package private(set) var inputs: [QueryColumn.Term] = []
  private let query: ValueQuery
  private let grouping: ValueQuery.Grouping
  /// Indices in `inputs`.
  private var keys: [Int] = []
  /// By column of the groups.
  private var columns: [Column] = []
  /// The counted inputs: the index in `inputs`, nil for rows, and the values seen, if only distinct ones are
  /// counted.
  private var counted: [(input: Int?, seen: ByteKeys?)] = []
  private var aggregates: [(aggregate: Predicate.Aggregate, input: Int, isOfDecimals: Bool)] = []

  private var groups = ByteKeys()
  /// The values of all groups, one group after the other.
  private var keyValues: [Value] = []
  private var counts: [Int] = []
  private var accumulators: [AggregateAccumulator] = []
  private var identity: [UInt8] = []

  /// The place of a group's column among the keys, the counts or the aggregates.
  private enum Column {
    case key(Int)
    case count(Int)
    case aggregate(Int)
  }

  /// The number of bytes that the groups may take.
  private static let mostBytes = 16 << 20

  /// - Returns: nil if the query has no groups, or groups only rows in a window.
  package init?(_ query: ValueQuery) {
    guard let grouping = query.grouping, grouping.window == nil else { return nil }
    self.query = query
    self.grouping = grouping
    for key in grouping.keys { keys.append(place(of: key.term)) }
    for column in grouping.columns {
      switch column.term {
      case .countRows: count(nil)
      case .count(let operand): count(place(of: .value(operand)))
      case .countDistinct(let operand): count(place(of: .value(operand)), seen: ByteKeys())
      case .aggregate(let aggregate, let operand):
        columns.append(.aggregate(aggregates.count))
        // Extremes of decimals are the stored ones. All others have the same input.
        let isOfDecimals = aggregate.isExtreme && column.type == .decimal
        let input = place(of: isOfDecimals ? .value(operand) : .aggregate(.sum, operand))
        aggregates.append((aggregate, input, isOfDecimals))
      case .everything, .value, .key:
        guard let index = grouping.keys.firstIndex(where: { $0.term == column.term }) else {
          return nil
        }
        columns.append(.key(index))
      }
    }
    // Without keys there is one group, even of no rows.
    if keys.isEmpty {
      _ = groups.place(of: [])
      begin()
    }
  }

  private mutating func place(of term: QueryColumn.Term) -> Int {
    if let known = inputs.firstIndex(of: term) { return known }
    inputs.append(term)
    return inputs.count - 1
  }

  private mutating func count(_ input: Int?, seen: ByteKeys? = nil) {
    columns.append(.count(counted.count))
    counted.append((input, seen))
  }

  /// Whether there are too many groups, so that a store, which sorts them in a file, has to answer.
  package var isFull: Bool {
    let kept =
      groups.byteCount + keyValues.count * MemoryLayout<Value>.stride
      + counts.count * MemoryLayout<Int>.stride
      + accumulators.count * MemoryLayout<AggregateAccumulator>.stride
    return counted.reduce(kept) { $0 + ($1.seen?.byteCount ?? 0) } > Self.mostBytes
  }

  /// Adds a row.
  ///
  /// - Parameter cells: the columns of the page for the inputs.
  package mutating func add(_ page: RowPage, _ row: Int, _ cells: [Int]) {
    identity.removeAll(keepingCapacity: true)
    for key in keys { identity.append(page, row, cells[key]) }
    let found = groups.place(of: identity)
    if found.isNew {
      keyValues += keys.map { page.storedValue(row, cells[$0]) }
      begin()
    }
    for index in counted.indices {
      if let input = counted[index].input {
        if page.tag(row: row, column: cells[input]) == .null { continue }
        if counted[index].seen != nil {
          identity.removeAll(keepingCapacity: true)
          withUnsafeBytes(of: found.place) { identity.append(contentsOf: $0) }
          identity.append(page, row, cells[input])
          if counted[index].seen?.place(of: identity).isNew != true { continue }
        }
      }
      counts[found.place * counted.count + index] += 1
    }
    for index in aggregates.indices {
      let (aggregate, input, _) = aggregates[index]
      let tag = page.tag(row: row, column: cells[input])
      // Numeric aggregates ignore other values.
      let isOfNumbers = aggregate == .sum || aggregate == .average
      if tag == .null || isOfNumbers && tag != .integer && tag != .real { continue }
      accumulators[found.place * aggregates.count + index]
        .add(page.storedValue(row, cells[input]))
    }
  }

  private mutating func begin() {
    for _ in counted { counts.append(0) }
    for (aggregate, _, isOfDecimals) in aggregates {
      accumulators.append(AggregateAccumulator(aggregate, ofDecimals: isOfDecimals))
    }
  }

  /// The answer to the query.
  ///
  /// - Throws: an error if a text exhausts a regular expression in the condition on groups.
  package func pages() throws -> [RowPage] {
    let groups = (0..<groups.count).map { group in
      columns.map { column -> Value in
        switch column {
        case .key(let index): keyValues[group * keys.count + index]
        case .count(let index): .integer(Int64(counts[group * counted.count + index]))
        case .aggregate(let index): accumulators[group * aggregates.count + index].result
        }
      }
    }
    var packer = RowPacker(columnCount: query.columns.count)
    for values in try query.rows(ofGroups: groups, grouping) { packer.append(values) }
    return packer.finish()
  }
}

/// Distinct keys, numbered in the order of their arrival.
private struct ByteKeys {
  private var bytes: [UInt8] = []
  /// The end of each key.
  private var ends: [Int] = []
  private var hashes: [Int] = []
  /// The numbers of keys, from 1, by their hashes; 0 if there is none.
  private var table = [Int32](repeating: 0, count: 64)

  var count: Int { ends.count }

  var byteCount: Int { bytes.count + ends.count * 16 + table.count * 4 }

  /// The number of a key, which is added if it is new.
  mutating func place(of key: [UInt8]) -> (place: Int, isNew: Bool) {
    var hasher = Hasher()
    key.withUnsafeBytes { hasher.combine(bytes: $0) }
    let hash = hasher.finalize()
    var index = hash & (table.count - 1)
    while table[index] != 0 {
      let place = Int(table[index]) - 1
      if hashes[place] == hash, isKey(place, key) { return (place, false) }
      index = (index + 1) & (table.count - 1)
    }
    bytes += key
    ends.append(bytes.count)
    hashes.append(hash)
    table[index] = Int32(count)
    if count * 2 > table.count { grow() }
    return (count - 1, true)
  }

  private func isKey(_ place: Int, _ key: [UInt8]) -> Bool {
    let start = place == 0 ? 0 : ends[place - 1]
    return ends[place] - start == key.count && bytes[start..<ends[place]].elementsEqual(key)
  }

  private mutating func grow() {
    table = [Int32](repeating: 0, count: table.count * 2)
    for (place, hash) in hashes.enumerated() {
      var index = hash & (table.count - 1)
      while table[index] != 0 { index = (index + 1) & (table.count - 1) }
      table[index] = Int32(place + 1)
    }
  }
}

extension RowPage {
  /// The value of a cell as a database stores it: zero has no sign, and NaN is NULL.
  fileprivate func storedValue(_ row: Int, _ column: Int) -> Value {
    guard tag(row: row, column: column) == .real else { return value(row: row, column: column) }
    return Value.real(real(row: row, column: column) + 0).withoutNaN
  }
}

extension [UInt8] {
  /// Appends bytes that distinguish a cell from all unequal ones.
  fileprivate mutating func append(_ page: RowPage, _ row: Int, _ column: Int) {
    switch page.tag(row: row, column: column) {
    case .null: append(CellTag.null.rawValue)
    case .integer: append(number: page.integer(row: row, column: column), .integer)
    case .real:
      let real = page.real(row: row, column: column)
      if let integer = Int64(exactly: real) {
        append(number: integer, .integer)
      } else if real.isNaN {
        append(CellTag.null.rawValue)
      } else {
        append(number: Int64(bitPattern: real.bitPattern), .real)
      }
    case .text: append(page.bytes(row: row, column: column), .text)
    case .blob: append(page.bytes(row: row, column: column), .blob)
    }
  }

  private mutating func append(number: Int64, _ tag: CellTag) {
    append(tag.rawValue)
    Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
  }

  private mutating func append(_ content: UnsafeBufferPointer<UInt8>, _ tag: CellTag) {
    append(number: Int64(content.count), tag)
    append(contentsOf: content)
  }
}
