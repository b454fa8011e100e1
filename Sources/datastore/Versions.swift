import DatastoreSQLite
import TerminalUI

/// What the program is made of, for `--version`.
enum Versions {
  static let program = "datastore 0.1.0"

  /// The program and its commit, the libraries that are loaded just now, and the packages that it was built
  /// from: `BuiltCommit` and `LinkedPackages` are written by the build, which knows them.
  static var text: String {
    let built = LinkedPackages.all.map { "\($0.name) \($0.version)" }
    let commit = BuiltCommit.id.map { ", commit \($0)" } ?? ""
    return """
      \(program)\(commit)
      with SQLite \(SQLiteLibrary.version), \(CursesLibrary.version)
      built from \(built.joined(separator: ", "))
      Their licences: datastore notices
      """
  }
}
