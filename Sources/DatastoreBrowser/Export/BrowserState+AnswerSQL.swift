import Basics
import DatastoreCore

/// The SQL or the command that reproduces a view of an SQL answer: the statement runs again, and its rows
/// take the place of the copy's table.
struct AnswerSQL: Sendable {
  let statement: String
  /// The table of the shown copy.
  let table: String
  let columns: [String]

  /// Replaces the table of the copy by the statement.
  ///
  /// - Parameter sql: a query of the copy.
  func asking(_ sql: String) -> String {
    let names = columns.map(Quoting.sqlName).joined(separator: ", ")
    // A comment at the end of the statement ends with its line. The rows are numbered in order, as in the
    // copy.
    return """
      WITH answer_rows (\(names)) AS (
      \(Self.withoutEnd(statement))
      ), \(Quoting.sqlName(table)) AS (
      SELECT row_number() OVER () AS _rowid_, row_number() OVER () AS rowid, * FROM answer_rows
      )
      \(sql)
      """
  }

  /// The statement without its final semicolon and the comments after it.
  private static func withoutEnd(_ statement: String) -> Substring {
    var inner = statement[...]
    while let end = inner.lastPlace(of: ";") {
      let lines = inner.text(after: end).lines()
      let areComments = lines.allSatisfy { line in
        let text = line.drop(while: \.isWhitespace)
        return text.isEmpty || text.begins(with: "--")
      }
      guard areComments else { break }
      inner = inner[..<end]
    }
    return inner
  }
}

extension BrowserState {
  /// Copies the SQL for the shown view of an SQL answer, or the command that runs it.
  mutating func copyAnswerSQL(_ text: ValueQueryText, of entity: Entity, as command: Bool) {
    guard let statement = derivedTable?.sql else { return }
    let sql = AnswerSQL(
      statement: statement, table: entity.name, columns: entity.properties.map(\.name))
    let files = command ? queryCommandState : QueryCommandState()
    request(.copySQL(text, of: entity.index, sql, files))
  }
}
