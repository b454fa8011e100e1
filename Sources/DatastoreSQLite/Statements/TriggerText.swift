import DatastoreCore
import DatastoreSQL
import GRDB

/// A trigger as declared in its file.
struct TriggerText: Hashable {
  let name: String
  /// Its table or view.
  let table: String
  let sql: String

  /// All triggers of a file, by name.
  static func all(in database: Database) throws -> [TriggerText] {
    let list = try RawStatement(
      "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
      in: database)
    var triggers: [TriggerText] = []
    while try list.step() {
      triggers.append(
        TriggerText(
          name: list.value(at: 0).plainText, table: list.value(at: 1).plainText,
          sql: list.value(at: 2).plainText))
    }
    return triggers
  }
}
