import Foundation
import SwiftDatastore

/// Measures migrations against the same done by hand with SQL through the C API, by turns on copies of one file.
struct MigrationBenchmarks {
  let rows: Int
  let runs: Int

  private struct Figure {
    var raw: [Double] = []
    var library: [Double] = []
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
      "| migration of \(rows) rows | raw | library | goal | peak, MB | |\n|---|---|---|---|---|---|"
    )
    for work in MigrationWork.all {
      var figure = Figure()
      for run in 0..<runs {
        for turn in 0..<2 {
          let file = try files.freshCopy(of: files.full)
          if (run + turn) % 2 == 0 {
            figure.raw.append(try raw(work, file))
          } else {
            Memory.forgetPeak()
            let start = Memory.resident
            let began = ContinuousClock.now
            try await work.migrate(file)
            figure.library.append((ContinuousClock.now - began).seconds)
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
    let began = ContinuousClock.now
    let connection = try SQLiteConnection(file.path)
    try work.raw(connection)
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    try connection.close()
    return (ContinuousClock.now - began).seconds
  }

  private func line(_ work: MigrationWork, _ figure: Figure) -> String {
    let (raw, library) = (Figure.median(figure.raw), Figure.median(figure.library))
    let isMet = work.limit.map { library <= $0 } ?? (library / raw <= work.goal)
    let goal = work.limit.map { "\(Int($0 * 1000)) ms" } ?? String(format: "%g", work.goal)
    let shown =
      work.limit == nil
      ? String(format: "%.2f (%.3f s)", library / raw, library)
      : String(format: "%.1f ms", library * 1000)
    return "| \(work.name) | \(String(format: "%.4f", raw)) s | \(shown) | \(goal) "
      + "| \(figure.peak / 1_000_000) | \(isMet ? "met" : "missed") |"
  }

  /// What is only counted, and what has every value of a column looked at.
  private func forecast(_ files: Files) async throws {
    for (name, types) in [
      ("forecast, nothing to look at", [Renamed.Person.self, Renamed.Company.self]),
      ("forecast of a required attribute", [Required.Person.self, Required.Company.self]),
    ] as [(String, [DatastoreObject.Type])] {
      let model = try SwiftDatastoreModel(from: types)
      var seconds: [Double] = []
      for _ in 0..<runs {
        let began = ContinuousClock.now
        _ = try SwiftDatastore.requiredMigrations(of: files.full, dataModel: model)
        seconds.append((ContinuousClock.now - began).seconds)
      }
      let median = Figure.median(seconds)
      print(
        "| \(name) | | \(String(format: "%.1f ms", median * 1000)) | 300 ms | "
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
