import DatastoreTestSupport

/// Random tables of another program with foreign keys of every action, tables of pairs, and rows.
struct RandomTables: CustomStringConvertible {
  struct Reference {
    let table: Int
    let destination: Int
    let action: String
    let isRequired: Bool

    var constraint: String { "REFERENCES \"T\(destination)\" (id)\(action)" }
  }

  struct Row {
    let table: Int
    /// By the place of the reference.
    var references: [Int: Int] = [:]
  }

  /// A table of pairs of rows of two tables.
  struct Join {
    let ends: [Int]
    let action: String
    var pairs: Set<[Int]> = []
  }

  let count: Int
  private let references: [Reference]
  private(set) var rows: [Row]
  private var joins: [Join] = []

  init(_ random: inout SeededRandom, _ engine: TestEngine) {
    let count = 2 + random.below(3)
    self.count = count
    let actions = ["", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON DELETE CASCADE"]
    references = (0..<(2 + random.below(4))).map { _ in
      let action = actions[random.below(actions.count)]
      let ends = [random.below(count), random.below(count)]
      let empties = action.hasSuffix("NULL")
      // A server checks a reference before its destination is deleted, so a circle of them cannot be deleted.
      let (table, destination) =
        engine.isFile || empties ? (ends[0], ends[1]) : (ends.max() ?? 0, ends.min() ?? 0)
      return Reference(
        table: table, destination: destination, action: action,
        isRequired: !empties && random.below(3) == 0)
    }
    rows = (0..<(6 + random.below(9))).map { _ in Row(table: random.below(count)) }
    while let left = refer(&random) { rows.remove(at: left) }
    for _ in 0..<random.below(3) {
      let ends = [random.below(count), random.below(count)]
      // Pairs are deleted or the deletion is refused.
      var join = Join(ends: ends, action: actions[random.below(2)])
      for _ in 0..<random.below(8) {
        let pair = ends.compactMap { end in
          rows.indices.filter { rows[$0].table == end }.randomElement(using: &random)
        }
        if pair.count == 2 { join.pairs.insert(pair) }
      }
      joins.append(join)
    }
  }

  /// Whether pairs go with the rows that stand in them by the foreign keys alone.
  var pairsCascade: Bool { joins.allSatisfy { $0.action.hasSuffix("CASCADE") } }

  /// The first row that has to refer to another one and cannot; nil if there is none.
  private mutating func refer(_ random: inout SeededRandom) -> Int? {
    for index in rows.indices {
      rows[index].references = [:]
      for (place, reference) in references.enumerated() where reference.table == rows[index].table {
        let members = rows.indices.filter { rows[$0].table == reference.destination }
        if !reference.isRequired, random.below(3) == 0 { continue }
        rows[index].references[place] = members.randomElement(using: &random)
        if members.isEmpty, reference.isRequired { return index }
      }
    }
    return nil
  }

  /// Statements that make the tables; references in a circle are inserted before they are checked.
  func sql(_ engine: TestEngine) -> String {
    let isFile = engine.isFile
    var lines: [String] = []
    for table in 0..<count {
      let columns = references.indices.filter { references[$0].table == table }.map { place in
        "r\(place) INTEGER\(references[place].isRequired ? " NOT NULL" : "")"
          + (isFile ? " \(references[place].constraint)" : "")
      }
      lines.append(
        "CREATE TABLE \"T\(table)\" ("
          + (["id INTEGER PRIMARY KEY", "number INTEGER"] + columns).joined(separator: ", ") + ");")
    }
    for (number, row) in rows.enumerated() {
      let references = row.references.sorted { $0.key < $1.key }
      let columns = ["id", "number"] + references.map { "r\($0.key)" }
      let values = [number + 1, number] + references.map { $0.value + 1 }
      lines.append(
        "INSERT INTO \"T\(row.table)\" (\(columns.joined(separator: ", "))) VALUES "
          + "(\(values.map(String.init).joined(separator: ", ")));")
    }
    for (number, join) in joins.enumerated() {
      let ends = zip(["a", "b"], join.ends).map { name, end in
        "\(name) INTEGER NOT NULL REFERENCES \"T\(end)\" (id)\(join.action)"
      }
      lines.append(
        "CREATE TABLE \"J\(number)\" (\(ends.joined(separator: ", ")), PRIMARY KEY (a, b));")
      for pair in join.pairs.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        lines.append("INSERT INTO \"J\(number)\" VALUES (\(pair[0] + 1), \(pair[1] + 1));")
      }
    }
    if !isFile {
      for (place, reference) in references.enumerated() {
        lines.append(
          "ALTER TABLE \"T\(reference.table)\" ADD FOREIGN KEY (r\(place)) \(reference.constraint);"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  var description: String { sql(.file) }
}
