/// One statement in SQL that reads, with values for its `?`. For statements that write `StoreError` is thrown.
package struct SQLQuestion: StoreQuestion, Hashable {
  package let sql: String
  package let arguments: [Value]
  /// The entity whose keys it answers with; nil where it is about the tables of a store.
  package let entity: EntityIndex?

  package init(_ sql: String, _ arguments: [Value], of entity: EntityIndex? = nil) {
    self.sql = sql
    self.arguments = arguments
    self.entity = entity
  }

  package func entity(in schema: Schema) -> EntityIndex? { entity }

  package func answer(in transaction: any ReadTransaction) throws -> SQLAnswer {
    try transaction.answer(self)
  }
}

/// One statement in SQL that someone has typed and that reads, answered page by page as they are read.
/// `SQLTextError` is thrown for a statement that is wrong, or writes.
package struct SQLPagesQuestion: StoreQuestion {
  package let sql: String
  /// Called once with the columns, before the first row, on a queue of the store.
  package let begin: @Sendable ([AnswerColumn]) -> Void
  /// Called there with each page, which is sealed; false ends the reading.
  package let receive: @Sendable (RowPage) -> Bool

  package init(
    _ sql: String, begin: @escaping @Sendable ([AnswerColumn]) -> Void,
    receive: @escaping @Sendable (RowPage) -> Bool
  ) {
    self.sql = sql
    self.begin = begin
    self.receive = receive
  }

  package func answer(in transaction: any ReadTransaction) throws {
    try transaction.answer(self)
  }
}

/// The names that SQL knows: of tables and views, with their columns.
package struct SQLNamesQuestion: StoreQuestion, Hashable {
  package struct Table: Sendable, Hashable {
    package let table: String
    package let columns: [String]

    package init(table: String, columns: [String]) {
      self.table = table
      self.columns = columns
    }
  }

  package init() {}

  package func answer(in transaction: any ReadTransaction) throws -> [Table] {
    try transaction.answer(self)
  }
}
