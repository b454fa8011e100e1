package import DatastoreCore

/// One state of a database, on a connection that reads it: questions render themselves as SQL, and the
/// session runs it.
///
/// An engine answers the questions that only it can answer before it calls `answer(rendered:)`.
package protocol SQLSession: ReadTransaction, KeyReader {
  /// SQL prepared to run.
  associatedtype Statement

  /// Runs `body` with a builder for rows that meet a condition. If the engine cannot evaluate the condition,
  /// it may run `body` once more with a builder that names the rows instead.
  func asking<Result>(
    _ entity: Entity, _ predicate: Predicate?, _ body: (QueryBuilder) throws -> Result
  ) throws -> Result
  /// Runs `body`, which reads rows of an entity, and adds the entity to its errors.
  func reading<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result
  /// Tells a builder the kind of a path's values, which rows are sorted and grouped by.
  func look(at path: [String], of entity: Entity, for builder: QueryBuilder) throws

  /// - Throws: the engine's error about SQL that it cannot run.
  func prepare(_ sql: SQLFragment) throws -> Statement
  /// Runs a statement, and passes on each of its rows with its page.
  func stream(_ statement: Statement, _ row: (RowPage, Int) throws -> Void) throws
  /// Reads every row of an entity and its descendants, by key, page by page.
  ///
  /// - Throws: also the errors of the closure, which end reading.
  func forEachPage(of entity: Entity, _ take: (RowPage) throws -> Void) throws
  /// All rows of a short result.
  func rows(_ sql: SQLFragment) throws -> [[Value]]
  /// The keys of a request, in its order.
  func keys(_ request: FetchRequest) throws -> [RowKey]
  /// The keys of a request, packed.
  func keyList(_ request: FetchRequest) throws -> KeyChunks
  /// The keys that a query selects together with the values of their groups.
  func sections(_ query: SQLFragment, of entity: Entity) throws -> KeyList
  /// Whether the first rows of a query are found without reading and sorting all of them.
  func findsInOrder(_ query: SQLFragment) throws -> Bool
  /// Answers a query without a single statement for all of it; returns false if it needs one.
  func answerDirectly(
    _ query: ValueQuery, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws -> Bool
}

/// A question that renders itself as SQL, for every SQL engine.
package protocol RenderedQuestion<Answer>: StoreQuestion {
  func answer(in session: some SQLSession) throws -> Answer
}

extension SQLSession {
  package func asking<Result>(
    _ entity: Entity, _ predicate: Predicate?, _ body: (QueryBuilder) throws -> Result
  ) throws -> Result {
    try body(QueryBuilder(mapping))
  }

  package func look(at path: [String], of entity: Entity, for builder: QueryBuilder) throws {}

  package func answerDirectly(
    _ query: ValueQuery, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws -> Bool { false }

  /// Answers a question that renders itself.
  ///
  /// - Throws: `StoreError.unsupportedPredicate` for any other question, unless it is dispensable.
  package func answer<Question: StoreQuestion>(
    rendered question: Question
  ) throws -> Question.Answer {
    if let rendered = question as? any RenderedQuestion<Question.Answer> {
      return try rendered.answer(in: self)
    }
    if let dispensable = question as? any DispensableQuestion<Question.Answer> {
      return dispensable.answerOfNone
    }
    throw StoreError.unsupportedPredicate("\(question.task) is not possible with this store.")
  }

  /// Runs `body` for a question about the rows of a request.
  package func asking<Result>(
    _ request: FetchRequest, _ body: (QueryBuilder, Entity) throws -> Result
  ) throws -> Result {
    let entity = try QueryBuilder(mapping).entity(named: request.entity)
    return try reading(entity) {
      try asking(entity, request.predicate) { try body($0, entity) }
    }
  }

  package func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws {
    if try answerDirectly(query, begin: begin, row: row) { return }
    let entity = try QueryBuilder(mapping).entity(named: query.entity)
    let (statement, columns) = try reading(entity) {
      try asking(entity, query.predicate) { builder in
        let (sql, columns) = try builder.answer(to: query, includingGenerated: includingGenerated)
        return (try prepare(sql), columns)
      }
    }
    try begin(columns)
    try reading(entity) { try stream(statement, row) }
  }
}
