import DatastoreSQLite
import TerminalUI

/// What the program is made of, for `--version`.
enum Versions {
  static let program = "datastore 0.1.0"

  /// The packages that are compiled in, by the names that SwiftPM has for them. Packages do not know their
  /// own versions; a test compares these with what the build has resolved.
  static let packages = [
    (name: "GRDB.swift", version: "7.10.0"), (name: "Yams", version: "6.2.2"),
    (name: "swift-argument-parser", version: "1.8.2"),
    (name: "swift-collections", version: "1.6.0"), (name: "swift-log", version: "1.16.2"),
  ]

  /// The program, the libraries that are loaded just now, and what it was built from.
  static var text: String {
    let built = packages.map { "\($0.name) \($0.version)" }
    return """
      \(program)
      with SQLite \(SQLiteLibrary.version), \(CursesLibrary.version)
      built from \(built.joined(separator: ", "))
      Their licences: datastore notices
      """
  }
}
