import DatastoreTestSupport
import Foundation
import GRDB

/// A SQLite file of its own in a directory of its own, deleted with the value.
final class TemporaryFile: Sendable {
  let url: URL
  var path: String { url.path }
  private let directory: TemporaryDirectory

  init(_ sql: String, name: String = "company.sqlite") throws {
    directory = try TemporaryDirectory()
    url = directory.file(name)
    try execute(sql)
  }

  /// Runs statements on a connection of its own, as another program would.
  func execute(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: url.path, configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Chooses how changes are made safe: `DELETE` or `WAL`.
  func setJournalMode(_ mode: String) throws {
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
    try queue.close()
  }

  /// Companies with employees, and employees with tasks.
  static func company() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE Company (id INTEGER PRIMARY KEY, name TEXT NOT NULL, founded INTEGER);
      CREATE TABLE Employee (
        id INTEGER PRIMARY KEY, name TEXT, position TEXT, salary REAL,
        company_id INTEGER REFERENCES Company (id));
      CREATE TABLE Task (
        id INTEGER PRIMARY KEY, title TEXT,
        employee_id INTEGER REFERENCES Employee (id));
      INSERT INTO Company VALUES (1, 'Acme', 1990), (2, 'Borg', NULL);
      INSERT INTO Employee VALUES
        (1, 'Ann', 'developer', 3000, 1), (2, 'Bob', 'designer', 2800.5, 1),
        (3, 'Cid', 'developer', 3100, 2), (4, 'Dora', NULL, NULL, NULL),
        (5, '', 'tester', 2500, 99);
      INSERT INTO Task VALUES (1, 'Plan', 1), (2, 'Build', 1), (3, 'Test', 3);
      """)
  }

  /// One table of so many rows in a few kinds.
  static func large(_ rows: Int) throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE Big (id INTEGER PRIMARY KEY, name TEXT, kind TEXT);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO Big SELECT i, 'row ' || i, 'kind ' || (i % 3) FROM n;
      """, name: "big.sqlite")
  }
}
