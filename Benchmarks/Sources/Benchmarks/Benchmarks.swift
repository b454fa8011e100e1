import CMalloc
import Foundation
import Synchronization

/// Measures the C API of SQLite, GRDB's records and this library by turns on the same files.
@main
struct Benchmarks {
  private static var contenders: [any Contender.Type] {
    [RawContender.self, RecordContender.self, LibraryContender.self]
  }

  @MainActor static func main() async throws {
    do {
      try await run(Arguments(CommandLine.arguments.dropFirst()))
    } catch let misuse as Arguments.Misuse {
      FileHandle.standardError.write(Data((misuse.message + "\n").utf8))
      exit(64)
    }
  }

  @MainActor private static func run(_ arguments: Arguments) async throws {
    if arguments.migrations {
      return try await MigrationBenchmarks(rows: arguments.rows, runs: arguments.runs).run()
    }
    if arguments.values {
      return try await ValueBenchmarks(rows: arguments.rows, runs: arguments.runs).run()
    }
    if arguments.stores {
      return try StoreBenchmarks(rows: arguments.rows, runs: arguments.runs).run()
    }
    if arguments.server { return try await measureServer(arguments) }
    let works = try arguments.works(of: Work.self)
    let files = try Files()
    var measurements = Measurements()
    do {
      try await LibraryContender.makeFile(files.empty)
      try FileManager.default.copyItem(at: files.empty, to: files.full)
      let filler = try RawContender(file: files.full, rows: arguments.rows)
      _ = try await filler.seconds(for: .createAndSave)
      try filler.close()
      forget_counted_instructions()
      for work in works {
        try await measure(work, arguments, files, &measurements)
      }
      if !arguments.onlyLibrary && !arguments.onlyRaw {
        try await weigh(arguments, files, &measurements)
      }
    } catch {
      try? files.remove()
      throw error
    }
    try files.remove()
    let report = Report(measurements: measurements, rows: arguments.rows, runs: arguments.runs)
    print(report.text)
    if let output = arguments.output {
      try report.text.write(toFile: output, atomically: true, encoding: .utf8)
    }
  }

  @MainActor private static func measureServer(_ arguments: Arguments) async throws {
    #if PostgreSQL
    try await ServerBenchmarks(arguments).run()
    #else
    throw Arguments.Misuse(
      message: "This was built without the engine for PostgreSQL; run make bench-postgresql.")
    #endif
  }

  /// Runs the contenders by turns, so that a slow minute of the machine slows them all.
  @MainActor private static func measure(
    _ work: Work, _ arguments: Arguments, _ files: Files, _ measurements: inout Measurements
  ) async throws {
    let contenders = contenders
    for run in 0..<arguments.runs {
      for turn in contenders.indices {
        let type = contenders[(run + turn) % contenders.count]
        if arguments.onlyLibrary && type != LibraryContender.self { continue }
        if arguments.onlyRaw && type != RawContender.self { continue }
        let file = try files.file(for: work)
        Memory.forgetPeak()
        let start = Memory.resident
        let contender = try type.init(file: file, rows: arguments.rows)
        Stopwatch.processorSeconds.withLock { $0 = 0 }
        let seconds = try await contender.seconds(for: work)
        let processor = Stopwatch.processorSeconds.withLock(\.self)
        let peak = Memory.peak - start
        let again = work.writes ? nil : try await contender.seconds(for: work)
        try contender.close()
        if let seconds {
          measurements.note(
            seconds, again: again, processor: processor, peak: peak, of: work, by: type.name)
        }
      }
    }
    let medians = contenders.compactMap { type in
      measurements.figure(work, type.name).map { "\(type.name) \($0.median)" }
    }
    print("\(work.rawValue): \(medians.joined(separator: ", "))")
  }

  @MainActor private static func weigh(
    _ arguments: Arguments, _ files: Files, _ measurements: inout Measurements
  ) async throws {
    for type in contenders {
      let contender = try type.init(file: files.full, rows: arguments.rows)
      measurements.bytesPerObject[type.name] = try await contender.bytesPerObject()
      if let library = contender as? LibraryContender {
        measurements.controllerBytesPerRow = try library.controllerBytesPerRow()
      }
      try contender.close()
    }
  }
}
