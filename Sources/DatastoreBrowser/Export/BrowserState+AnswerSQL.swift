import Basics
import DatastoreCore
import DatastoreExport
import SwiftDatastore

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
    request(.copyAnswerSQL(text, of: entity.index, sql, files))
  }
}

extension Effect {
  /// Makes the SQL for a query of an SQL answer, and copies it.
  ///
  /// - Parameter files: the files for the command to read; none to copy the SQL alone.
  fileprivate static func copyAnswerSQL(
    _ text: ValueQueryText, of entity: EntityIndex, _ answer: AnswerSQL, _ files: QueryCommandState
  ) -> Effect {
    .work { runner in
      let store = runner.view.store
      runner.answer(in: .copying) { _ in
        try await BlockingWork.run {
          let query = try ValueQuery(text, entity: store.schema.entities[entity], in: store.schema)
          let sql = answer.asking(try store.readTransaction { try $0.sql(of: query) })
          guard let file = files.files.first else {
            return CopiedText(text: sql, subject: "the SQL of this table")
          }
          var words = ["datastore", "query", file]
          for other in files.files.dropFirst() { words += ["--with", other] }
          words += files.reading + ["--sql", sql]
          return CopiedText(
            text: Quoting.shellCommand(words),
            subject: "the command that asks for this table")
        }
      } as: {
        Copied(result: $0)
      }
    }
  }
}
