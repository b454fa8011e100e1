import Foundation
import GRDB
import SwiftDatastore

/// Measures migrations against the same done by hand with SQL through the C API, and with that SQL in GRDB's
/// migrator, by turns on copies of one file.
struct MigrationBenchmarks {
  let rows: Int
  let runs: Int

  private struct Figure {
    var raw: [Double] = []
    var library: [Double] = []
    var migrator: [Double] = []
    var peak = 0

    static func median(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return sorted[sorted.count / 2]
    }
  }

  func run() async throws {
    let files = try Files()
    do {
      try await run(files)
    } catch {
      try? files.remove()
      throw error
    }
    try files.remove()
  }

  private func run(_ files: Files) async throws {
    try SwiftDatastore(dataModel: Old.model(), url: files.full).close()
    let filler = try SQLiteConnection(files.full.path)
    try filler.run(
      """
      BEGIN;
      INSERT INTO Company (_id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
      INSERT INTO Person (_id, name, age, phone, note, company) SELECT i, 'First' || i || ' Last' || i, \
      i % 90, CASE WHEN i % 3 THEN '+46 ' || i END, CASE WHEN i % 2 THEN 'a note about ' || i END, \
      i % 4 + 1 FROM n;
      COMMIT;
      PRAGMA wal_checkpoint(TRUNCATE);
      """)
    try filler.close()
    print(
      """
      | migration of \(rows) rows | raw | library | goal | GRDB | peak, MB | |
      |---|---|---|---|---|---|---|
      """
    )
    for work in MigrationWork.all {
      var figure = Figure()
      for run in 0..<runs {
        for turn in 0..<3 {
          let file = try files.freshCopy(of: files.full)
          switch (run + turn) % 3 {
          case 0: figure.raw.append(try raw(work, file))
          case 1: figure.migrator.append(contentsOf: try migrator(work, file))
          default:
            Memory.forgetPeak()
            let start = Memory.resident
            figure.library.append(
              try await ContinuousClock().measure { try await work.migrate(file) }.seconds)
            figure.peak = max(figure.peak, Memory.peak - start)
          }
        }
      }
      print(line(work, figure))
    }
    try await forecast(files)
  }

  /// With the opening, and with the moving of the log into the file, as the library does it.
  private func raw(_ work: MigrationWork, _ file: URL) throws -> Double {
    try ContinuousClock().measure {
      let connection = try SQLiteConnection(file.path)
      switch work.byHand {
      case .sql(let statements):
        try connection.run("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE; \(statements); COMMIT")
      case .program(let program): try program(connection)
      }
      try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
      try connection.close()
    }.seconds
  }

  /// The same SQL as a registered migration; empty for works that need more than SQL.
  private func migrator(_ work: MigrationWork, _ file: URL) throws -> [Double] {
    guard case .sql(let statements) = work.byHand else { return [] }
    let duration = try ContinuousClock().measure {
      let queue = try DatabaseQueue(path: file.path)
      var migrator = DatabaseMigrator()
      migrator.registerMigration(work.name) { try $0.execute(sql: statements) }
      try migrator.migrate(queue)
      try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try queue.close()
    }
    return [duration.seconds]
  }

  private func line(_ work: MigrationWork, _ figure: Figure) -> String {
    let (raw, library) = (Figure.median(figure.raw), Figure.median(figure.library))
    let isMet = work.limit.map { library <= $0 } ?? (library / raw <= work.goal)
    let goal = work.limit.map { "\(Int($0 * 1000)) ms" } ?? String(format: "%g", work.goal)
    let shown =
      work.limit == nil
      ? String(format: "%.2f (%.3f s)", library / raw, library)
      : String(format: "%.1f ms", library * 1000)
    let migrator =
      figure.migrator.isEmpty
      ? "" : String(format: "%.2f", Figure.median(figure.migrator) / raw)
    return "| \(work.name) | \(String(format: "%.4f", raw)) s | \(shown) | \(goal) "
      + "| \(migrator) | \(figure.peak / 1_000_000) | \(isMet ? "met" : "missed") |"
  }

  /// Forecasts that only count, and forecasts that read every value of a column.
  private func forecast(_ files: Files) async throws {
    for (name, types) in [
      ("forecast, nothing to look at", [Renamed.Person.self, Renamed.Company.self]),
      ("forecast of a required attribute", [Required.Person.self, Required.Company.self]),
    ] as [(String, [DatastoreObject.Type])] {
      let model = try SwiftDatastoreModel(from: types)
      var seconds: [Double] = []
      for _ in 0..<runs {
        seconds.append(
          try ContinuousClock().measure {
            _ = try SwiftDatastore.requiredMigrations(of: files.full, dataModel: model)
          }.seconds)
      }
      let median = Figure.median(seconds)
      print(
        "| \(name) | | \(String(format: "%.1f ms", median * 1000)) | 300 ms | | "
          + "| \(median <= 0.3 ? "met" : "missed") |")
    }
  }
}

extension Duration {
  fileprivate var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
