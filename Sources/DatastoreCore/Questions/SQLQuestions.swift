/// One statement in SQL that reads, with values for its `?`. For statements that write `StoreError` is
/// thrown.
package struct SQLQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = SQLAnswer

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

  package var task: String { "A statement in SQL" }
}

/// One statement in SQL that someone has typed and that reads, answered page by page as they are read.
/// `SQLTextError` is thrown for a statement that is wrong, or writes.
package struct SQLPagesQuestion: StoreQuestion {
  package typealias Answer = Void

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

  package var task: String { "A statement in SQL" }
}

/// The names that SQL knows: of tables and views, with their columns.
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

/// A column of an answer.
package struct AnswerColumn: Sendable, Hashable, Codable {
  package let name: String
  /// What its values mean.
  package let type: AttributeType
  /// How the column of another program's file stores dates.
  package var dates: DateConvention?
  /// Whether the file computes it, so that nothing can be inserted there.
  package var isGenerated: Bool
  /// What the column of a table is declared as, where it is one and SQL was typed; nil for what is computed.
  package var declaredType: String?

  package init(
    name: String, type: AttributeType, dates: DateConvention? = nil, isGenerated: Bool = false
  ) {
    self.name = name
    self.type = type
    self.dates = dates
    self.isGenerated = isGenerated
  }
}

/// The answer to one statement in SQL.
package struct SQLAnswer: Sendable, Codable {
  package let columns: [String]
  package let rows: [[Value]]

  package init(columns: [String], rows: [[Value]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// What a statement that writes has done.
package struct SQLExecution: Sendable, Hashable, Codable {
  /// Rows that it has changed itself.
  package let rows: Int
  /// Whether tables, views, indexes or triggers are others now.
  package let changesSchema: Bool

  package init(rows: Int, changesSchema: Bool) {
    self.rows = rows
    self.changesSchema = changesSchema
  }
}

/// SQL that cannot be run, and where.
package struct SQLTextError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
  package let sql: String
  /// What is wrong, as a sentence.
  package let message: String
  /// The place in UTF-8 bytes from the start of the text, where SQLite tells it.
  package let utf8Offset: Int?
  /// Whether it is a statement that changes the file, where only reading is wanted.
  package var isWriting = false

  package init(sql: String, message: String, utf8Offset: Int? = nil) {
    self.sql = sql
    self.message = message
    self.utf8Offset = utf8Offset
  }

  package var description: String { message }
}
