import Basics

/// Combines groups of rows that several stores have made, each from its own rows.
///
/// Counts and sums are added, the least and the greatest value are those of all, and a mean is computed from
/// sums and counts. If distinct values are counted, each store also groups by them.
struct JoinedGroups {
  private let grouping: ValueQuery.Grouping
  private let entity: Entity
  private let schema: Schema
  /// The terms for the stores, each once; the keys of the groups come first.
  private var terms: [QueryColumn.Term] = []
  private let keyCount: Int
  private let distinctCount: Int
  private let destinations: [EntityIndex?]
  /// By term that is not a key, before any group is added.
  private let emptySums: [Partial]
  private var order: [[Value]] = []
  private var groups: [[Value]: Group] = [:]

  private struct Group {
    /// Its values in the first store.
    let keys: [Value]
    /// By term that is not a key.
    var sums: [Partial]
    /// By operand whose distinct values are counted.
    var distinct: [Set<Value>]
  }

  /// The combined results of the stores.
  private enum Partial {
    case count(Int)
    case aggregate(AggregateAccumulator)
  }

  init(_ grouping: ValueQuery.Grouping, of entity: Entity, in schema: Schema) {
    self.grouping = grouping
    self.entity = entity
    self.schema = schema
    let keys = grouping.keys.map { $0.term.asKey(from: entity, in: schema) }
    var distinct: [QueryColumn.Term] = []
    var partials: [QueryColumn.Term] = []
    func add(_ term: QueryColumn.Term, to terms: inout [QueryColumn.Term]) {
      if !terms.contains(term) { terms.append(term) }
    }
    for column in grouping.columns {
      switch column.term {
      case .countDistinct(let operand):
        add(.value(operand).asKey(from: entity, in: schema), to: &distinct)
      case .aggregate(.average, let operand):
        add(.count(operand), to: &partials)
        add(.aggregate(.sum, operand), to: &partials)
        add(column.term, to: &partials)
      case .countRows, .count, .aggregate: add(column.term, to: &partials)
      case .everything, .value, .key: continue
      }
    }
    keyCount = keys.count
    distinctCount = distinct.count
    terms = keys + distinct + partials
    destinations = (keys + distinct).map { $0.destination(from: entity, in: schema) }
    emptySums = partials.map { term -> Partial in
      switch term {
      // A mean of means is meaningless; it is computed from sums and counts.
      case .aggregate(.average, _): .count(0)
      case .aggregate(let aggregate, _):
        .aggregate(
          AggregateAccumulator(
            aggregate, ofDecimals: QueryColumn(term, from: entity, in: schema).type == .decimal))
      default: .count(0)
      }
    }
    // Without keys there is one group, even of no rows.
    if keys.isEmpty { groups[[]] = emptyGroup([]) }
    if keys.isEmpty { order.append([]) }
  }

  private var partials: ArraySlice<QueryColumn.Term> { terms.dropFirst(keyCount + distinctCount) }

  private func emptyGroup(_ keys: [Value]) -> Group {
    Group(
      keys: keys, sums: emptySums, distinct: Array(repeating: [], count: distinctCount))
  }

  /// The query for a store.
  func query(_ request: FetchRequest) -> ValueQuery {
    ValueQuery(
      terms, of: request, groupedBy: Array(terms.prefix(keyCount + distinctCount)), having: [],
      orderedBy: [], from: entity, in: schema)
  }

  /// Adds a group of a store.
  mutating func add(_ page: RowPage, _ row: Int, _ shift: KeyShift) {
    func value(_ column: Int) -> Value {
      let value = page.value(row: row, column: column)
      guard destinations.indices.contains(column), let destination = destinations[column] else {
        return value
      }
      return shift.shared(value, of: destination)
    }
    let keys = (0..<keyCount).map(value)
    let identity = keys.map(\.groupIdentity)
    var group = groups.removeValue(forKey: identity)
    if group == nil {
      order.append(identity)
      group = emptyGroup(keys)
    }
    guard var group else { return }
    for index in 0..<distinctCount {
      let counted = value(keyCount + index)
      if !counted.isNull { group.distinct[index].insert(counted.groupIdentity) }
    }
    for (index, term) in partials.enumerated() {
      let added = value(keyCount + distinctCount + index)
      switch group.sums[index] {
      case .count(let count):
        if case .aggregate(.average, let operand) = term {
          group.sums[index] = .count(count + numbers(operand, mean: added, page, row))
        } else if case .integer(let number) = added {
          group.sums[index] = .count(count + Int(number))
        }
      case .aggregate(var accumulator):
        accumulator.add(added)
        group.sums[index] = .aggregate(accumulator)
      }
    }
    groups[identity] = group
  }

  /// The number of values in a store's mean: values that are not numbers are counted, but not in the mean.
  private func numbers(
    _ operand: Predicate.Operand, mean: Value, _ page: RowPage, _ row: Int
  ) -> Int {
    guard case .real(let mean) = mean else { return 0 }
    func partial(_ term: QueryColumn.Term) -> Value {
      terms.firstIndex(of: term).map { page.value(row: row, column: $0) } ?? .null
    }
    if mean != 0, let sum = partial(.aggregate(.sum, operand)).number,
      let count = Int(exactly: (sum / mean).rounded())
    {
      return count
    }
    return partial(.count(operand)).key.map { Int($0.rawValue) } ?? 0
  }

  /// The values of all columns of each group, in the order of their arrival.
  var values: [[Value]] { order.compactMap { groups[$0].map(values) } }

  private func values(of group: Group) -> [Value] {
    func partial(_ term: QueryColumn.Term) -> Partial {
      guard let index = partials.firstIndex(of: term) else { trap("every term was asked for") }
      return group.sums[index - partials.startIndex]
    }
    func key(_ term: QueryColumn.Term) -> Value {
      let term = term.asKey(from: entity, in: schema)
      guard let index = terms.prefix(keyCount).firstIndex(of: term) else {
        trap("columns that are not aggregates are keys of the groups")
      }
      return group.keys[index]
    }
    return grouping.columns.map { column in
      switch column.term {
      case .countDistinct(let operand):
        let term = QueryColumn.Term.value(operand).asKey(from: entity, in: schema)
        guard let index = terms.dropFirst(keyCount).firstIndex(of: term) else {
          trap("every term was asked for")
        }
        return .integer(Int64(group.distinct[index - keyCount].count))
      case .aggregate(.average, let operand):
        guard case .count(let count) = partial(column.term), count > 0,
          case .aggregate(let sum) = partial(.aggregate(.sum, operand)),
          let total = sum.result.number
        else { return .null }
        return Value.real(total / Double(count)).withoutNaN
      case .countRows, .count, .aggregate:
        switch partial(column.term) {
        case .count(let count): return .integer(Int64(count))
        case .aggregate(let accumulator): return accumulator.result
        }
      case .everything, .value, .key: return key(column.term)
      }
    }
  }
}

extension Value {
  /// Equal for values that a database considers equal: 1 and 1.0.
  fileprivate var groupIdentity: Value {
    guard case .real(let real) = self, let integer = Int64(exactly: real) else { return self }
    return .integer(integer)
  }
}
