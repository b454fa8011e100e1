/// One SQL statement that reads, with values for its `?`. Throws `StoreError` for statements that write.
package struct SQLQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = SQLAnswer

  package let sql: String
  package let arguments: [Value]
  /// The entity whose keys the statement returns; nil if it is about the tables of a store.
  package let entity: EntityIndex?

  package init(_ sql: String, _ arguments: [Value], of entity: EntityIndex? = nil) {
    self.sql = sql
    self.arguments = arguments
    self.entity = entity
  }

  package func entity(in schema: Schema) -> EntityIndex? { entity }

  package var task: String { "A statement in SQL" }
}

/// One SQL statement typed by a person that reads, answered page by page. Throws `SQLTextError` for a
/// statement that is wrong, or writes.
package struct SQLPagesQuestion: StoreQuestion {
  package typealias Answer = Void

  package let sql: String
  /// Called once with the columns, before the first row, on a queue of the store.
  package let begin: @Sendable ([AnswerColumn]) -> Void
  /// Called there with each page, which is sealed; returns false to end reading.
  package let receive: @Sendable (RowPage) -> Bool

  package init(
    _ sql: String, begin: @escaping @Sendable ([AnswerColumn]) -> Void,
    receive: @escaping @Sendable (RowPage) -> Bool
  ) {
    self.sql = sql
    self.begin = begin
    self.receive = receive
  }

  package var task: String { "A statement in SQL" }
}

/// The names for SQL statements: tables and views, with their columns.
package struct SQLNamesQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = [Table]

  package struct Table: Sendable, Hashable, Codable {
    package let table: String
    package let columns: [String]

    package init(table: String, columns: [String]) {
      self.table = table
      self.columns = columns
    }
  }

  package init() {}

  package var task: String { "A statement in SQL" }
}

package struct AnswerColumn: Sendable, Hashable, Codable {
  package let name: String
  /// The type of its values.
  package let type: AttributeType
  /// How a column of a third-party file stores dates.
  package var dates: DateConvention?
  /// Whether the file computes it, so that nothing can be inserted there.
  package var isGenerated: Bool
  /// The declared type of a table's column, for typed SQL; nil for a computed column.
  package var declaredType: String?
  /// The name of the column in the table, which may differ from that of its property; nil for anything
  /// else.
  package var storedName: String?
  /// The column of another table that its foreign key refers to; nil for a key that a model has made, and
  /// for anything else.
  package var referenced: String?

  package init(
    name: String, type: AttributeType, dates: DateConvention? = nil, isGenerated: Bool = false
  ) {
    self.name = name
    self.type = type
    self.dates = dates
    self.isGenerated = isGenerated
  }
}

/// The answer to one SQL statement.
package struct SQLAnswer: Sendable, Codable {
  package let columns: [String]
  package let rows: [[Value]]

  package init(columns: [String], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// The effects of a statement that writes.
package struct SQLExecution: Sendable, Hashable, Codable {
  /// The number of rows that it has changed itself.
  package let rows: Int
  /// Whether it changed tables, views, indexes or triggers.
  package let changesSchema: Bool

  package init(rows: Int, changesSchema: Bool) {
    self.rows = rows
    self.changesSchema = changesSchema
  }
}

/// The error of SQL that cannot be run, with its position.
package struct SQLTextError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  package let sql: String
  /// The fault, as a sentence.
  package let message: String
  /// The position in UTF-8 bytes from the start of the text, if SQLite reports it.
  package let utf8Offset: Int?
  /// Whether the statement changes the file, although only reading is allowed.
  package var isWriting = false

  package init(sql: String, message: String, utf8Offset: Int? = nil) {
    self.sql = sql
    self.message = message
    self.utf8Offset = utf8Offset
  }

  package var description: String { message }
}
