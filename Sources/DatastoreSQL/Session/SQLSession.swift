package import DatastoreCore

/// One state of a database, on a connection that reads it: questions render themselves, and the session runs
/// what they have rendered.
///
/// An engine answers what only it knows before it calls `answer(rendered:)`.
package protocol SQLSession: ReadTransaction, KeyReader {
  /// A piece of SQL that can be run.
  associatedtype Statement

  /// Runs `body` with a builder of SQL for rows of a condition. Where the engine cannot decide that, `body`
  /// may be run once more with a builder that names the rows instead.
  func asking<Result>(
    _ entity: Entity, _ predicate: Predicate?, _ body: (QueryBuilder) throws -> Result
  ) throws -> Result
  /// Runs `body`, which reads rows of an entity, and says in what it throws which entity that was.
  func reading<Result>(_ entity: Entity, _ body: () throws -> Result) throws -> Result
  /// Tells a builder what the values of a path are like that rows are sorted and grouped by.
  func look(at path: [String], of entity: Entity, for builder: QueryBuilder) throws

  /// - Throws: what the engine says of a piece of SQL that it cannot run.
  func prepare(_ sql: SQLFragment) throws -> Statement
  /// Runs a statement, and hands on each of its rows with the page that holds it.
  func stream(_ statement: Statement, _ row: (RowPage, Int) throws -> Void) throws
  /// Reads every row of an entity and of those that inherit from it, by key, page by page.
  ///
  /// - Throws: also what the closure throws, which ends it.
  func forEachPage(of entity: Entity, _ take: (RowPage) throws -> Void) throws
  /// All rows of an answer that is short.
  func rows(_ sql: SQLFragment) throws -> [[Value]]
  /// The keys of a request, in its order.
  func keys(_ request: FetchRequest) throws -> [RowKey]
  /// The same, packed.
  func keyList(_ request: FetchRequest) throws -> KeyChunks
  /// The keys that a query selects beside the values that they are grouped by.
  func sections(_ query: SQLFragment, of entity: Entity) throws -> KeyList
  /// Whether the first rows of a query are found without looking at all of them and sorting them.
  func findsInOrder(_ query: SQLFragment) throws -> Bool
  /// Answers a query without a statement that has all of it; false where it takes one.
  func answerDirectly(
    _ query: ValueQuery, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws -> Bool
}

/// A question that renders itself as SQL, for every engine that speaks it.
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
  /// - Throws: `StoreError.unsupportedPredicate` for any other that has to be answered.
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

  /// Runs `body` for what is asked about the rows of a request.
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
