import DatastoreSQLite
import TerminalUI

/// The versions of the program and its components, for `--version`.
enum Versions {
  static let program = "datastore 0.1.0"

  /// The program and its commit, the loaded libraries, and the packages that it was built from. The build
  /// writes `BuiltCommit` and `LinkedPackages`.
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
