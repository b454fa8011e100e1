/// A store, or a state of one, that answers questions about saved data.
package protocol ReadableStore: ObjectStore {
  /// Runs `body` on one state of the store, and waits for it.
  ///
  /// - Throws: the errors of `body`; `StoreError`.
  func readTransaction<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result

  /// Runs `body` on one state of the store, on a queue of the store, so that no thread of a task is blocked.
  /// Cancelling the task interrupts reading.
  ///
  /// - Parameter progress: receives the progress, if the store knows it.
  /// - Throws: the errors of `body`; `StoreError`; `CancellationError`.
  func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result

  /// The rows of a request as pages, in its order, like `fetch(_:)`. Cancelling the task interrupts it. Not a
  /// question, because a store may search for rows in several transactions on one state.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  func fetch(_ request: FetchRequest) async throws -> [RowPage]

  /// Whether an index finds the members of an owner, so that counting them does not read a whole table. False
  /// for slots that are not a to-many relationship. O(1).
  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool

  /// The store that answers a question: this one, or the one of several that holds the question's entity.
  ///
  /// - Throws: `StoreError` if none does.
  func part(answering question: some StoreQuestion) throws -> any ReadableStore
}

extension ReadableStore {
  package func part(answering question: some StoreQuestion) throws -> any ReadableStore { self }

  /// Answers a question, and waits for the answer.
  package func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer {
    try part(answering: question).readTransaction { try $0.answer(question) }
  }

  /// Answers a question without blocking a thread. Cancelling the task interrupts it.
  package func answer<Question: StoreQuestion>(
    _ question: Question, reporting progress: ReadProgress? = nil
  ) async throws -> Question.Answer {
    try await part(answering: question).readTransaction(reporting: progress) {
      try $0.answer(question)
    }
  }
}

// Reading that follows from other reading.
extension ReadableStore {
  package func fetch(_ request: FetchRequest) throws -> [RowPage] {
    var pages: [RowPage] = []
    try fetch(request) { pages += $0 }
    return pages
  }

  package func fetchKeys(_ request: FetchRequest) throws -> [RowKey] {
    try answer(KeysQuestion(request))
  }

  package func count(_ request: FetchRequest) throws -> Int { try answer(CountQuestion(request)) }
}

/// One state of a store, for reading only, unaffected by later saves.
package protocol StoreSnapshot: ReadableStore {
  /// Closes it; reading from it throws `StoreError.closed` from now on.
  func closeSnapshot()
}

/// Reports the progress of a question.
///
/// Called on a queue of the store, some ten thousand times a second, with the work done so far: a number that
/// grows with the rows in the same way for questions of the same shape. Servers do not report it.
package typealias ReadProgress = @Sendable (_ work: Int) -> Void
