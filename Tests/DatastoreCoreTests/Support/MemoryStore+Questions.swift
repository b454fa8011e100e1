import DatastoreCore

/// The answers of a store of dictionaries: lists and counts.
extension MemoryStore: ReadableStore {
  func readTransaction<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result {
    try body(MemoryTransaction(store: self))
  }

  func readTransaction<Result: Sendable>(
    reporting _: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    try body(MemoryTransaction(store: self))
  }

  func fetch(_ request: FetchRequest) async throws -> [RowPage] { rowPages(request) }

  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool { false }
}

struct MemoryTransaction: ReadTransaction {
  let store: MemoryStore

  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer {
    if let own = question as? any MemoryQuestion<Question.Answer> {
      return try own.answer(in: store)
    }
    guard let dispensable = question as? any DispensableQuestion<Question.Answer> else {
      throw Self.refusal(question.task)
    }
    return dispensable.answerOfNone
  }

  private static func refusal(_ task: String) -> StoreError {
    .unsupportedPredicate("\(task) is not possible with a store of dictionaries.")
  }

  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws { throw Self.refusal("A table of values") }

  func sql(of query: ValueQuery) throws -> String { throw Self.refusal("SQL") }

  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws { throw Self.refusal("SQL") }
}

/// A question that is answered by going through all rows.
protocol MemoryQuestion<Answer>: StoreQuestion {
  func answer(in store: MemoryStore) throws -> Answer
}

extension CountQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) -> Int { store.count(request) }
}

extension KeysQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) -> [RowKey] { store.fetchKeys(request) }
}

extension KeysetQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) -> Bool { false }
}

extension ValuesQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) throws -> [[Value]] {
    try store.values(of: paths, in: request).map(\.values)
  }
}

extension KeyListQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) throws -> KeyList {
    guard let path else { return KeyList(ofOneSection: KeyChunks(store.fetchKeys(request))) }
    var sorted = request
    if !(request.sortDescriptors.first.map { $0.leadsSections(by: path) } ?? false) {
      sorted.sortDescriptors.insert(SortDescriptor(path), at: 0)
    }
    let rows = try store.values(of: [path], in: sorted)
    let sections = rows.reduce(into: [KeyList.Section]()) { sections, row in
      if let last = sections.last, Value.compare(last.value, row.values[0]) == .same {
        sections[sections.count - 1].count += 1
      } else {
        sections.append(.init(value: row.values[0], count: 1))
      }
    }
    return KeyList(keys: rows.map(\.key), sections: sections)
  }
}

extension SectionsQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) throws -> [KeyList.Section] {
    try KeyListQuestion(request, groupBy: path).answer(in: store).sections
  }
}

extension RelatedCountsQuestion: MemoryQuestion {
  func answer(in store: MemoryStore) -> [RowKey: Int] {
    let counts = keys.map { ($0, store.relatedKeys(entity: entity, slot: slot, key: $0).count) }
    return Dictionary(counts) { first, _ in first }.filter { $0.value > 0 }
  }
}
