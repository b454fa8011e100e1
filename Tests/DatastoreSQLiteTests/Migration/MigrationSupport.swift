import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation

/// A file that is made from one schema, filled by SQL, and migrated to another.
struct MigratedFile {
  let url: URL
  private let folder: TemporaryDirectory

  /// Makes and fills it.
  init(_ schema: [EntityDescription], _ sql: String) throws {
    folder = try TemporaryDirectory()
    url = folder.file("store.sqlite")
    try SQLiteStore(try Schema(schema), at: url).close()
    if !sql.isEmpty { try SQLiteFile.make(at: url, sql) }
  }

  var backupPath: String { folder.path("backup.sqlite") }

  func migrate(
    to schema: [EntityDescription], _ policy: MigrationPolicy = .lossless,
    configure: (inout MigrationRequest) -> Void = { _ in }
  ) throws {
    var request = MigrationRequest(policy: policy)
    configure(&request)
    try SQLiteStore(try Schema(schema), at: url, migration: request).close()
  }

  func forecast(
    of schema: [EntityDescription], configure: (inout MigrationRequest) -> Void = { _ in }
  ) throws -> MigrationForecast {
    var request = MigrationRequest(policy: .lossless)
    configure(&request)
    return try SQLiteStore.forecast(of: try Schema(schema), at: url, request)
  }

  /// The rows of a query, each as text.
  func rows(_ sql: String) throws -> [String] { try SQLiteFile.values(sql, in: url) }

  /// Every declaration in the file, with the columns of tables in the order of their names.
  func declarations() throws -> Set<String> { try Declarations.of(url) }

  /// Those of a file that is made from a schema.
  static func freshDeclarations(_ schema: [EntityDescription]) throws -> Set<String> {
    let folder = try TemporaryDirectory()
    let url = folder.file("fresh.sqlite")
    try SQLiteStore(try Schema(schema), at: url).close()
    return try Declarations.of(url)
  }

  /// Everything in the file, as SQLite's own program writes it.
  func dump() throws -> String {
    try SQLiteCommand.run(".dump", on: url)
  }
}
