import Basics

/// One state of each of the stores that hold an entity. Answers are those that one store with all the rows
/// would give.
struct SharedTransaction: ReadTransaction {
  let reader: SharedReader
  /// In the order of the parts of the reader.
  private let transactions: [any ReadTransaction]

  init(_ reader: SharedReader, _ transactions: [any ReadTransaction]) {
    self.reader = reader
    self.transactions = transactions
  }

  var schema: Schema { reader.schema }

  /// One of the stores, with what is asked of it.
  struct Asked {
    /// Its number among the parts of the reader.
    let number: Int
    let shift: KeyShift
    let transaction: any ReadTransaction
    let request: FetchRequest

    /// - Throws: what the store throws, about objects as contexts know them.
    func answer<Answer>(_ body: (any ReadTransaction) throws -> Answer) throws -> Answer {
      try shift.telling { try body(transaction) }
    }
  }

  func asked(_ request: FetchRequest) throws -> [Asked] {
    try reader.asked(request).map { part, request in
      guard let number = reader.parts.firstIndex(where: { $0.place == part.place }) else {
        trap("the stores that are asked are those of the reader")
      }
      return Asked(
        number: number, shift: part.shift, transaction: transactions[number], request: request)
    }
  }

  func entity(_ request: FetchRequest) throws -> Entity {
    guard let entity = schema.entity(named: request.entity) else {
      throw StoreError.unknownEntity(request.entity)
    }
    return entity
  }

  // MARK: Lists

  func answer(_ question: CountQuestion) throws -> Int {
    let counts = try asked(question.request).map { part in
      try part.answer { try $0.answer(CountQuestion(part.request)) }
    }
    return SharedReader.total(counts, question.request)
  }

  func answer(_ question: EstimatedCountsQuestion) throws -> [EntityIndex: Int] {
    try transactions.reduce(into: [:]) { counts, transaction in
      counts.merge(try transaction.answer(question), uniquingKeysWith: +)
    }
  }

  func answer(_ question: KeysQuestion) throws -> [RowKey] {
    try answer(KeyListQuestion(question.request)).keys.map(\.self)
  }

  func answer(_ question: KeyListQuestion) throws -> KeyList {
    let request = question.request
    let entity = try entity(request)
    let asked = try asked(request)
    if question.path == nil, asked.count < 2 || request.sortDescriptors.isEmpty {
      return try keysOneByOne(asked, request, of: entity)
    }
    let group = question.path.map { Predicate.Operand(at: $0, of: entity, in: schema) }
    let order = request.listOrder(groupBy: question.path, group)
    let columns = OrderedColumns(
      (group.map { [$0] } ?? []).map { .value($0) }, by: order, of: entity, in: schema)
    var keys = KeyChunks.Builder()
    var sections: [KeyList.Section] = []
    try columns.read(asked, request, in: self) { place, shift in
      keys.append(columns.key(place, shift, of: entity))
      if question.path == nil { return }
      let value = columns.value(0, place, shift)
      if let last = sections.last, Value.compare(last.value, value) == .same {
        sections[sections.count - 1].count += 1
      } else {
        sections.append(.init(value: value, count: 1))
      }
    }
    let count = keys.count
    if question.path == nil, count > 0 { sections = [.init(value: .null, count: count)] }
    return KeyList(keys: keys.finish(), sections: sections)
  }

  /// The keys of one store, or of all where those of one come after those of the other.
  private func keysOneByOne(
    _ asked: [Asked], _ request: FetchRequest, of entity: Entity
  ) throws -> KeyList {
    var keys = KeyChunks.Builder()
    var toSkip = asked.count > 1 ? max(request.offset, 0) : 0
    for part in asked {
      let own = try part.answer { try $0.answer(KeyListQuestion(part.request)) }.keys
      try part.shift.requireRoom(for: own, of: entity.index)
      for key in own {
        if toSkip > 0 {
          toSkip -= 1
          continue
        }
        if request.limit > 0, keys.count == request.limit { break }
        keys.append(part.shift.shared(key, of: entity.index))
      }
    }
    let count = keys.count
    return KeyList(
      keys: keys.finish(), sections: count == 0 ? [] : [.init(value: .null, count: count)])
  }

  func answer(_ question: SectionsQuestion) throws -> [KeyList.Section] {
    let request = question.request
    let entity = try entity(request)
    let group = Predicate.Operand(at: question.path, of: entity, in: schema)
    let isDecimal = QueryColumn(.value(group), from: entity, in: schema).type == .decimal
    func order(_ value: Value) -> Value { isDecimal ? value.decimalNumber : value }
    var sections: [KeyList.Section] = []
    if request.limit > 0 || request.offset > 0 {
      // Which rows are counted is known when all are in order.
      sections = try answer(KeyListQuestion(request, groupBy: question.path)).sections
    } else {
      for part in try asked(request) {
        let destination = part.shift.destination(of: question.path, from: entity)
        let own = try part.answer {
          try $0.answer(SectionsQuestion(part.request, groupBy: question.path))
        }
        sections += own.map { section in
          KeyList.Section(
            value: destination.map { part.shift.shared(section.value, of: $0) } ?? section.value,
            count: section.count)
        }
      }
    }
    sections.sort { left, right in
      let ordering = Value.compare(order(left.value), order(right.value))
      if ordering != .same { return ordering == .ascending }
      return Value.compare(left.value, right.value) == .ascending
    }
    return sections.reduce(into: []) { joined, section in
      if let last = joined.last, Value.compare(last.value, section.value) == .same {
        joined[joined.count - 1].count += section.count
      } else {
        joined.append(section)
      }
    }
  }

  func answer(_ question: KeysetQuestion) throws -> Bool {
    try asked(question.request).allSatisfy { part in
      try part.answer { try $0.answer(KeysetQuestion(part.request)) }
    }
  }

  // MARK: Values

  func answer(_ question: ValuesQuestion) throws -> [[Value]] {
    let request = question.request
    let entity = try entity(request)
    let columns = OrderedColumns(
      question.paths.map { .value(.keyPath($0)) }, by: request.sortDescriptors, of: entity,
      in: schema)
    var values: [[Value]] = []
    try columns.read(asked(request), request, in: self) { place, shift in
      values.append(question.paths.indices.map { columns.value($0, place, shift) })
    }
    return values
  }

  func answer(_ question: MovedRowsQuestion) throws -> [Int: RowKey] {
    try reader.foundRows(of: question.entity, equalTo: question.rows) { part, rows in
      guard let number = reader.parts.firstIndex(where: { $0.place == part.place }) else {
        return [:]
      }
      return try transactions[number].answer(
        MovedRowsQuestion(entity: question.entity, equalTo: rows))
    }
  }

  func answer(_ question: RelatedCountsQuestion) throws -> [RowKey: Int] {
    var counts: [RowKey: Int] = [:]
    for (part, keys) in reader.divided(question.keys, of: question.entity) {
      guard let number = reader.parts.firstIndex(where: { $0.place == part.place }) else {
        continue
      }
      let own = try transactions[number].answer(
        RelatedCountsQuestion(entity: question.entity, slot: question.slot, keys: keys))
      for (key, count) in own { counts[part.shift.shared(key, of: question.entity)] = count }
    }
    return counts
  }
}

/// What only one store is asked: the summaries and the SQL of browsers, which open one at a time.
extension SharedTransaction {
  private func refused<Answer>(_ task: String) throws -> Answer {
    throw StoreError.notOneStore(task)
  }

  func answer(_ question: AggregatesQuestion) throws -> [[Value]] { try refused("This summary") }
  func answer(_ question: DistinctValuesQuestion) throws -> [Value] { try refused("This summary") }
  func answer(_ question: MatchingKeysQuestion) throws -> Set<RowKey> {
    try refused("Looking through columns")
  }
  func answer(_ question: FrequencyQuestion) throws -> FrequencyTable {
    try refused("This summary")
  }
  func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics {
    try refused("This summary")
  }
  func answer(_ question: HistogramQuestion) throws -> Histogram? { try refused("This summary") }
  func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale? {
    try refused("This summary")
  }
  func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion.Group] {
    try refused("This summary")
  }
  func answer(_ question: BaselineQuestion) throws -> any StoreBaseline {
    throw StoreError.notOneStore("Comparing with an earlier state")
  }
  func answer(_ question: DifferencesQuestion) throws -> StoreDifferences {
    try refused("Comparing with an earlier state")
  }
  func answer(_ question: SQLQuestion) throws -> SQLAnswer { try refused("A statement in SQL") }
  func answer(_ question: SQLPagesQuestion) throws {
    throw StoreError.notOneStore("A statement in SQL")
  }
  func answer(_ question: SQLNamesQuestion) throws -> [SQLNamesQuestion.Table] {
    try refused("A statement in SQL")
  }
  func answer(_ question: SuggestionsQuestion) throws -> [RelationshipSuggestion] {
    try refused("Suggesting relationships")
  }
  func sql(of query: ValueQuery) throws -> String { try refused("A statement in SQL") }
  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws { throw StoreError.notOneStore("A statement in SQL") }
}
