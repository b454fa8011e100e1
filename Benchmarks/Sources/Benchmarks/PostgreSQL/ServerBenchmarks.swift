#if PostgreSQL
import CMalloc
import Foundation
import SwiftDatastore
import Synchronization

/// Measures libpq and this library by turns on copies of the same database, and counts what the server spends
/// with them.
struct ServerBenchmarks {
  private let arguments: Arguments
  private let works: [ServerWork]
  private let server: ServerConnection

  private static let contenders: [any ServerContender.Type] = [
    RawServerContender.self, LibraryServerContender.self,
  ]

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    works = try arguments.works(of: ServerWork.self)
    server = try ServerConnection("postgres")
  }

  @MainActor func run() async throws {
    guard arguments.rows >= 10_000 else {
      throw Arguments.Misuse(message: "With PostgreSQL there are at least 10,000 rows.")
    }
    let processes = try ServerProcesses(of: server.process)
    Stopwatch.server.withLock { $0 = { processes.account } }
    try await makeDatabases()
    forget_counted_instructions()
    var report = ServerReport(rows: arguments.rows, runs: arguments.runs)
    for work in works { try await measure(work, &report) }
    if arguments.names.isEmpty {
      try copyDatabase("bench_full", to: "bench_copy")
      report.lossOfWriters = try WriterBenchmarks(database: "bench_copy", rows: arguments.rows)
        .loss(runs: arguments.runs)
      try copyDatabase("bench_full", to: "bench_copy")
      report.delays = try await ChangeBenchmarks(database: "bench_copy", rows: arguments.rows)
        .delays()
    }
    print(report.text)
    if let output = arguments.output {
      try report.text.write(toFile: output, atomically: true, encoding: .utf8)
    }
  }

  /// One with tables and what others refer to, and one with all rows.
  @MainActor private func makeDatabases() async throws {
    try server.run("CREATE DATABASE bench_empty TEMPLATE template0")
    let maker = try LibraryServerContender(database: "bench_empty", rows: arguments.rows)
    try await maker.makeDepartments()
    try maker.close()
    try copyDatabase("bench_empty", to: "bench_full")
    let filler = try RawServerContender(database: "bench_full", rows: arguments.rows)
    _ = try await filler.seconds(for: .insertMany)
    // New objects get keys behind those that are there.
    try filler.connection.run(#"SELECT setval('"_keys_Employee"', \#(arguments.rows + 1))"#)
    try filler.connection.run("VACUUM (ANALYZE, FREEZE)")
    try filler.connection.run("CHECKPOINT")
  }

  private func copyDatabase(_ name: String, to copy: String) throws {
    try server.run("DROP DATABASE IF EXISTS \(copy) WITH (FORCE)")
    try server.run("CREATE DATABASE \(copy) TEMPLATE \(name)")
  }

  private func database(for work: ServerWork) throws -> String {
    guard work.writes else { return "bench_full" }
    try copyDatabase(work.fills ? "bench_empty" : "bench_full", to: "bench_copy")
    try server.run("CHECKPOINT")
    return "bench_copy"
  }

  @MainActor private func measure(
    _ work: ServerWork, _ report: inout ServerReport
  ) async throws {
    let contenders = Self.contenders
    for run in 0..<arguments.runs {
      for turn in contenders.indices {
        let type = contenders[(run + turn) % contenders.count]
        if arguments.onlyLibrary && type != LibraryServerContender.self { continue }
        if arguments.onlyRaw && type != RawServerContender.self { continue }
        let contender = try type.init(database: database(for: work), rows: arguments.rows)
        try await contender.prepare(for: work)
        // By then, the background work after opening a store is over.
        try await Task.sleep(for: .milliseconds(200))
        Stopwatch.processorSeconds.withLock { $0 = 0 }
        Stopwatch.serverAccount.withLock { $0 = ServerAccount() }
        let seconds: Double
        do {
          seconds = try await contender.seconds(for: work)
        } catch let error as StoreError {
          // A work that this engine cannot do has no figure.
          print("\(work.rawValue): \(type.name): \(error)")
          try contender.close()
          continue
        }
        try contender.close()
        let account = Stopwatch.serverAccount.withLock(\.self)
        report.note(
          ServerReport.Run(
            seconds: seconds, client: Stopwatch.processorSeconds.withLock(\.self),
            server: Double(account.nanoseconds) * 1e-9, waits: account.waits),
          of: work, by: type.name)
      }
    }
    print(report.line(work))
    fflush(nil)
  }
}
#endif
