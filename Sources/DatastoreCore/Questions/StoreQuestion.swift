/// A question about saved data: a value that describes it, with the type of its answer.
///
/// `ReadableStore.answer(_:)` answers it, waiting for the store or without blocking a thread; a
/// `ReadTransaction` answers any number of questions about one state of the store.
///
/// An engine declares in a protocol of its own which questions it answers and how, such as `RenderedQuestion`
/// for SQL engines. Questions composed of others (`ComposedQuestion`) are the same for every engine.
package protocol StoreQuestion<Answer>: Sendable {
  associatedtype Answer: Sendable

  /// The entity whose store answers; nil for questions about a store as a whole.
  func entity(in schema: Schema) -> EntityIndex?

  /// The subject of the question: the beginning of a sentence that refuses it.
  var task: String { get }
}

extension StoreQuestion {
  package func entity(in schema: Schema) -> EntityIndex? { nil }
  package var task: String { "This summary" }
}

/// A question that is answered by asking others, with any engine.
package protocol ComposedQuestion<Answer>: StoreQuestion {
  func answer(in transaction: any ReadTransaction) throws -> Answer
}

/// A question that not every store can answer.
package protocol DispensableQuestion<Answer>: StoreQuestion {
  /// The answer of a store that cannot.
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

/// One state of a store, for reading. Valid only inside the closure that receives it.
///
/// All methods throw `StoreError`, and `CancellationError` when the asking task is cancelled.
package protocol ReadTransaction {
  /// Answers a question. A composed one is answered by asking its parts, or as a whole by a remote store.
  ///
  /// - Throws: the errors of answering.
  func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer

  /// Answers a question that is not composed of others. Call `answer(_:)` instead, which answers all.
  func answer<Question: StoreQuestion>(basic question: Question) throws -> Question.Answer

  /// Answers a query row by row: holds at most some hundred rows, and none for longer than a moment while
  /// others are being read.
  ///
  /// - Parameters:
  ///   - includingGenerated: whether all columns (`*`) include those that the store computes.
  ///   - begin: called once with the columns, before the first row.
  ///   - row: called for each row with its page, and its index there.
  /// - Throws: also the errors of the closures.
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws

  /// The SQL of a query, with its values written out.
  ///
  /// - Throws: like answering it.
  func sql(of query: ValueQuery) throws -> String

  /// Answers one SQL statement that reads, row by row.
  ///
  /// - Throws: `SQLTextError` for a statement that is wrong, or writes; otherwise as for other queries.
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
