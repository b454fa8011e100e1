import DatastoreFar
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

#if PostgreSQL
import DatastorePostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// The database of a browser in a test, a file or one in a server, and another program that reads it.
protocol BrowsedDatabase: Sendable {
  var server: KeptServer? { get }
  func open(_ options: SwiftDatastore.Options) throws -> SwiftDatastore
  /// Runs statements as another program would.
  func execute(_ sql: String) throws
  /// The values that a query of one column finds now, as another program prints them.
  func values(_ sql: String) throws -> [String]
}

extension BrowsedDatabase {
  /// One value of a row; nil if the row does not exist.
  func shown(_ column: String, of table: String, id: Int) throws -> String? {
    try values(
      "SELECT coalesce(CAST(\"\(column)\" AS TEXT), 'NULL') FROM \"\(table)\" WHERE id = \(id)"
    ).first
  }
}

extension TemporaryFile: BrowsedDatabase {
  var server: KeptServer? { nil }

  func open(_ options: SwiftDatastore.Options) throws -> SwiftDatastore {
    try SwiftDatastore(opening: url, options: options)
  }
}

/// The engines that a journey of the browser's is made on.
enum TestEngine: String, CaseIterable, CustomTestStringConvertible {
  case file
  /// A file at the other end of a line.
  case far
  #if PostgreSQL
  case server
  #endif

  var testDescription: String { rawValue }
  var isFile: Bool { self == .file || self == .far }

  /// Tables made by statements that all engines read.
  func database(_ sql: String) throws -> any BrowsedDatabase {
    switch self {
    case .file: return try TemporaryFile(sql)
    case .far: return FarFile(try TemporaryFile(sql))
    #if PostgreSQL
    case .server: return try ServerDatabase(sql)
    #endif
    }
  }

  /// Companies with employees, and employees with tasks; one employee refers to a company that is missing.
  func company() throws -> any BrowsedDatabase {
    switch self {
    case .file: return try TemporaryFile.company()
    case .far: return FarFile(try TemporaryFile.company())
    #if PostgreSQL
    case .server:
      return try ServerDatabase(
        """
        CREATE TABLE "Company" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER);
        CREATE TABLE "Employee" (
          id INTEGER PRIMARY KEY, name TEXT, position TEXT, salary DOUBLE PRECISION, company_id INTEGER);
        CREATE TABLE "Task" (
          id INTEGER PRIMARY KEY, title TEXT, employee_id INTEGER REFERENCES "Employee" (id));
        INSERT INTO "Company" VALUES (1, 'Acme', 1990), (2, 'Borg', NULL);
        INSERT INTO "Employee" VALUES
          (1, 'Ann', 'developer', 3000, 1), (2, 'Bob', 'designer', 2800.5, 1),
          (3, 'Cid', 'developer', 3100, 2), (4, 'Dora', NULL, NULL, NULL),
          (5, '', 'tester', 2500, 99);
        ALTER TABLE "Employee" ADD FOREIGN KEY (company_id) REFERENCES "Company" NOT VALID;
        INSERT INTO "Task" VALUES (1, 'Plan', 1), (2, 'Build', 1), (3, 'Test', 3);
        """)
    #endif
    }
  }

  /// One table of so many rows in a few kinds.
  func large(_ rows: Int) throws -> any BrowsedDatabase {
    switch self {
    case .file: return try TemporaryFile.large(rows)
    case .far: return FarFile(try TemporaryFile.large(rows))
    #if PostgreSQL
    case .server:
      return try ServerDatabase(
        """
        CREATE TABLE "Big" (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
        INSERT INTO "Big" SELECT i, 'row ' || i, 'kind ' || (i % 3) FROM generate_series(1, \(rows)) AS i;
        """)
    #endif
    }
  }
}

/// A file that the browser reaches over a line of this process.
final class FarFile: BrowsedDatabase {
  private let file: TemporaryFile
  var server: KeptServer? { KeptServer(identity: file.url.path) }

  init(_ file: TemporaryFile) {
    self.file = file
  }

  func open(_ options: SwiftDatastore.Options) throws -> SwiftDatastore {
    var far = FarOptions()
    far.isReadOnly = false
    far.showsJoinTables = options.showsJoinTables
    far.annotations = options.annotations
    let store = try FarPair(opening: file.url, far).store
    return SwiftDatastore(store, dataModel: nil, storeName: "far", options: options) {
      var options = options
      options.annotations = $0
      return try self.open(options)
    }
  }

  func execute(_ sql: String) throws { try file.execute(sql) }

  func values(_ sql: String) throws -> [String] { try file.values(sql) }
}

#if PostgreSQL

extension SwiftDatastore {
  /// How often it has waited for its server.
  var waitCount: Int { (engine as? PostgreSQLStore)?.waitCount ?? 0 }
}

/// A database of its own in the tests' server, read by psql.
final class ServerDatabase: BrowsedDatabase {
  let name: String
  private let program: PostgreSQLServer

  init(_ sql: String) throws {
    program = try PostgreSQLServer.shared()
    name = try program.makeDatabase()
    try program.psql(name, sql)
  }

  var address: String { program.address(of: name) }

  var server: KeptServer? { KeptServer(identity: "test:\(name)") }

  func open(_ options: SwiftDatastore.Options) throws -> SwiftDatastore {
    try open(options, readOnly: false)
  }

  func open(_ options: SwiftDatastore.Options, readOnly: Bool) throws -> SwiftDatastore {
    try SwiftDatastore(showing: address, readOnly: readOnly, options: options)
  }

  func execute(_ sql: String) throws { try program.psql(name, sql) }

  func values(_ sql: String) throws -> [String] {
    let text = try program.psql(name, sql)
    return text.isEmpty ? [] : text.components(separatedBy: "\n")
  }
}
#endif
