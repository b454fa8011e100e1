import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import SwiftDatastore

#if PostgreSQL
import DatastorePostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// A store of entities without classes, of one engine.
@MainActor
struct BrowsedObjects {
  let datastore: SwiftDatastore
  /// The same store once more.
  let reopen: @MainActor () throws -> SwiftDatastore
  /// The tables whose references lead nowhere though they may not, as the database sees it.
  let brokenReferences: @MainActor () throws -> [String]
}

extension TestEngine {
  /// The rounds of a property test with so many cases each, on every engine: a quarter of them where each
  /// question takes longer.
  static func rounds(of cases: Int) -> [(engine: TestEngine, round: Int)] {
    allCases.flatMap { engine in
      RandomCases.rounds(of: engine == .file ? cases : 4 * cases).map { (engine, $0) }
    }
  }

  @MainActor
  func objects(_ schema: Schema) throws -> BrowsedObjects {
    let directory = try TemporaryDirectory()
    let url = directory.file("objects.sqlite")
    let name = UUID().uuidString
    func open() throws -> SwiftDatastore {
      let store: any StoreEngine
      switch self {
      case .file: store = try SQLiteStore(schema, at: url)
      case .far: store = try FarPair(of: schema, at: url).store
      #if PostgreSQL
      case .server:
        store = try PostgreSQLStore(
          schema, at: PostgreSQLAddress(PostgreSQLServer.shared().address(of: "postgres")),
          named: name)
      #endif
      }
      return SwiftDatastore(store, dataModel: nil, storeName: rawValue, options: .init())
    }
    return BrowsedObjects(datastore: try open(), reopen: open) {
      // A server looks at every commit.
      isFile
        ? try SQLiteFile.values(
          "SELECT parent FROM pragma_foreign_key_check", in: directory.file("objects.sqlite"))
        : []
    }
  }

  /// Tables that another program has made, as a store.
  @MainActor
  func objects(in database: any BrowsedDatabase) throws -> BrowsedObjects {
    BrowsedObjects(
      datastore: try database.open(.init()), reopen: { try database.open(.init()) },
      brokenReferences: {
        isFile ? try database.values("SELECT parent FROM pragma_foreign_key_check") : []
      })
  }
}
