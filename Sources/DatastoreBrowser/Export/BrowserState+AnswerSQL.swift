import Basics
import DatastoreCore
import DatastoreExport
import SwiftDatastore

/// The SQL, or the command, that gives what a table shows of an answer to SQL: the statement is asked again,
/// and its rows are the table of another one.
struct AnswerSQL: Sendable {
  let statement: String
  /// Of the copy that is shown.
  let table: String
  let columns: [String]

  /// What asks the statement instead of the copy.
  ///
  /// - Parameter sql: asks the copy.
  func asking(_ sql: String) -> String {
    let names = columns.map(Quoting.sqlName).joined(separator: ", ")
    // A comment at the end of the statement ends with its line. The copy has its rows numbered as they come.
    return """
      WITH answer_rows (\(names)) AS (
      \(Self.withoutEnd(statement))
      ), \(Quoting.sqlName(table)) AS (
      SELECT row_number() OVER () AS _rowid_, row_number() OVER () AS rowid, * FROM answer_rows
      )
      \(sql)
      """
  }

  /// A statement without its semicolon, and without what comments behind that say.
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
  /// Puts the SQL of what is shown of an answer on the clipboard, or the command that writes it.
  mutating func copyAnswerSQL(_ text: ValueQueryText, of entity: Entity, as command: Bool) {
    guard let statement = derivedTable?.sql else { return }
    let sql = AnswerSQL(
      statement: statement, table: entity.name, columns: entity.properties.map(\.name))
    let files = command ? queryCommandState : QueryCommandState()
    request(.copyAnswerSQL(text, of: entity.index, sql, files))
  }
}

extension Effect {
  /// Makes the SQL of a query of an answer, for the clipboard.
  ///
  /// - Parameter files: what the command is to read; without any, there is to be none.
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
