/// SQL that cannot be run, and where.
package struct SQLTextError: Error, Sendable, Hashable, CustomStringConvertible {
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
