import DatastoreCore
import DatastoreSQLite
package import Foundation

extension MigratedStores {
  /// Files of a folder, which the sqlite3 program and SQLite's own checks look at, too.
  package static func files(
    in folder: URL, disturb: @escaping Disturb = { _, _, _, _ in false }
  ) -> MigratedStores {
    @Sendable func url(_ name: String) -> URL { file(name, in: folder) }
    return MigratedStores(
      open: { try SQLiteStore($1, at: url($0), migration: $2) },
      forecast: { try SQLiteStore.forecast(of: $1, at: url($0), $2) },
      declarations: { name in
        let checks = ["PRAGMA integrity_check", "SELECT parent FROM pragma_foreign_key_check"]
        let faults = try checks.flatMap { try SQLiteFile.values($0, in: url(name)) }
        return try Declarations.of(url(name)).union(faults)
      },
      remove: { try FileManager.default.removeItem(at: url($0)) }, disturb: disturb)
  }

  /// The file of a store.
  package static func file(_ name: String, in folder: URL) -> URL {
    folder.appending(path: "\(name).sqlite")
  }
}
