/// A question about what is saved: a value that says what is asked, with the type of its answer.
///
/// `ReadableStore.answer(_:)` answers it, waiting for the store or without blocking a thread; a
/// `ReadTransaction` answers any number of them about one state of the store.
///
/// An engine says in a protocol of its own which questions it answers and how, such as `RenderedQuestion` for
/// all that speak SQL; what is put together from other questions (`ComposedQuestion`) is the same for every
/// engine.
package protocol StoreQuestion<Answer>: Sendable {
  associatedtype Answer: Sendable

  /// The entity whose store is asked; nil for what is asked of a store as a whole.
  func entity(in schema: Schema) -> EntityIndex?

  /// What is asked for: the beginning of a sentence that refuses it.
  var task: String { get }
}

extension StoreQuestion {
  package func entity(in schema: Schema) -> EntityIndex? { nil }
  package var task: String { "This summary" }
}

/// A question that is answered by asking others, whatever the engine.
package protocol ComposedQuestion<Answer>: StoreQuestion {
  func answer(in transaction: any ReadTransaction) throws -> Answer
}

/// A question that not every store knows an answer to.
package protocol DispensableQuestion<Answer>: StoreQuestion {
  /// The default answer of a store that does not know it.
  var answerOfNone: Answer { get }
}

/// A question about the rows of a request.
package protocol RequestQuestion: StoreQuestion {
  var request: FetchRequest { get }
}

extension RequestQuestion {
  package func entity(in schema: Schema) -> EntityIndex? {
    schema.entity(named: request.entity)?.index
  }
}

/// A question about rows of an entity.
package protocol EntityQuestion: StoreQuestion {
  var entity: EntityIndex { get }
}

extension EntityQuestion {
  package func entity(in schema: Schema) -> EntityIndex? { entity }
}

/// One state of a store, for as long as it is read. Belongs to the closure that it is given to.
///
/// All throw `StoreError`, and `CancellationError` when the task that asks is cancelled.
package protocol ReadTransaction {
  /// Answers a question; one that is composed of others by asking those, or as a whole where the store is
  /// elsewhere.
  ///
  /// - Throws: what answering throws.
  func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer

  /// Answers a question that is not put together from others. Call `answer(_:)`, which answers all.
  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer

  /// Answers a query row by row: some hundred rows are kept at most, and none for longer than a moment while
  /// others are being read.
  ///
  /// - Parameters:
  ///   - includingGenerated: whether all columns (`*`) include those that the store computes.
  ///   - begin: called once with the columns, before the first row.
  ///   - row: called for each row with the page that holds it, and its number there.
  /// - Throws: also what the closures throw.
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws

  /// The SQL of a query, with its values written out.
  ///
  /// - Throws: like answering it.
  func sql(of query: ValueQuery) throws -> String

  /// Answers one statement of SQL that reads, row by row.
  ///
  /// - Throws: `SQLTextError` for a statement that is wrong, or writes; as for other queries.
  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws
}

extension ReadTransaction {
  package func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer {
    guard let composed = question as? any ComposedQuestion<Question.Answer> else {
      return try answer(basic: question)
    }
    return try composed.answer(in: self)
  }
}
