/// A store, or a state of one, that answers questions about what is saved.
package protocol ReadableStore: ObjectStore {
  /// Runs `body` in one state of the store, and waits for it.
  ///
  /// - Throws: what `body` throws; `StoreError`.
  func readTransaction<Result>(_ body: (any ReadTransaction) throws -> Result) throws -> Result

  /// Runs `body` in one state of the store, on a queue of the store: nothing waits on a thread of a task.
  /// When the task is cancelled, what is being read is interrupted.
  ///
  /// - Parameter progress: hears how far that has come, where the store knows.
  /// - Throws: what `body` throws; `StoreError`; `CancellationError`.
  func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result

  /// The rows of a request as pages, in its order, as `fetch(_:)` has them; interrupted when the task is
  /// cancelled. No question, since a store may look for rows in several transactions of one state.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  func fetch(_ request: FetchRequest) async throws -> [RowPage]

  /// Whether the members of an owner are found by an index, so that counting them does not read a whole
  /// table. False for slots that are not a to-many relationship. O(1).
  func countsQuickly(entity: EntityIndex, slot: Slot) -> Bool

  /// The store that a question is answered in: this one, or the one of several that holds what it is about.
  ///
  /// - Throws: `StoreError` where none does.
  func part(answering question: some StoreQuestion) throws -> any ReadableStore
}

extension ReadableStore {
  package func part(answering question: some StoreQuestion) throws -> any ReadableStore { self }

  /// Answers a question, and waits for that.
  package func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer {
    try part(answering: question).readTransaction { try $0.answer(question) }
  }

  /// Answers a question without blocking a thread; interrupted when the task is cancelled.
  package func answer<Question: StoreQuestion>(
    _ question: Question, reporting progress: ReadProgress? = nil
  ) async throws -> Question.Answer {
    try await part(answering: question).readTransaction(reporting: progress) {
      try $0.answer(question)
    }
  }
}

/// One state of a store, for reading only, whatever is saved in the store from then on.
package protocol StoreSnapshot: ReadableStore {
  /// Ends it; reading from it throws `StoreError.closed` from now on.
  func closeSnapshot()
}

/// How far a question has come that a store is asked.
///
/// Called on a queue of the store, some ten thousand times a second, with the work that was done so far: a
/// number that grows with the rows in the same way for questions of the same shape. Servers do not say it.
package typealias ReadProgress = @Sendable (_ work: Int) -> Void
