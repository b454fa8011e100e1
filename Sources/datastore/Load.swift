import ArgumentParser
import Basics
import DatastoreBrowser
import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import SampleModel
import SwiftDatastore

/// `datastore load`: loads files into a store.
struct Load: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load CSV and JSON files into a store.",
    discussion: """
      Each record becomes an object. A store or a table that does not exist is created; the types of its \
      columns are detected from the values. In a folder, the file manifest.yaml describes the others.

      The delimiter (comma, semicolon, tab, bar), the header row, the encoding (by a mark, or by the letters \
      that the bytes are in it) and the decimal mark (3.5 or 3,5) are detected from the beginning of a file; \
      options override them. --dry-run shows what is detected, and why. A first line that looks like the \
      others is loaded as data.

      Types are detected from all values. Dates (2024-05-01, 1.5.2024, 2024/05/01, or 5/1/2024 where the \
      values show the order) are stored as 2024-05-01. NA, N/A, NULL, \\N and the like mean no value in \
      columns of numbers and dates.

      In a store that exists, a column may also be called like a relationship to one object, or by the path \
      to the key of that object (country.code), as datastore query writes it.

      A load is all or nothing: when it stops or fails, the store is as it was before; when it is \
      killed, at most a new table without rows is left.

      postgresql://user@host/database (or service=name) loads into a PostgreSQL server, in one transaction: \
      into the tables of any program, or, with --store-name, into a store of SwiftDatastore, which is created \
      if it does not exist. Passwords belong in ~/.pgpass: everyone who lists the processes sees those in an \
      address.

        datastore load staff.csv --into company.sqlite --entity employee --key id --dry-run
        curl -s https://example.org/rows.json | datastore load - --into rows.sqlite --entity row
      """)

  @Argument(
    help: """
      CSV, TSV, JSON or JSON Lines files, .zip, .xlsx and .parquet files, pipes, folders with a \
      manifest.yaml, or - for standard input.
      """, completion: .file())
  var files: [String]

  @Option(
    name: .customLong("into"),
    help: "The store: any SQLite file, or a new one; or a postgresql:// or ssh:// address.",
    completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "In a server: the store of SwiftDatastore's to load into, that is, the schema; without it, the tables "
        + "of the database are filled as they are.", valueName: "name"))
  var storeName: String?

  @Option(
    help: "The entity to fill; without it, the name of each file.", completion: .entitiesOfStore)
  var entity: String?

  @Option(
    help: """
      The column that identifies the object of a record. Objects that exist are updated; \
      without this option, every record becomes a new object.
      """, completion: .fields)
  var key: String?

  @Option(
    name: .customLong("on-error"),
    help: "What to do with an invalid record: stop the load, or report and skip it.")
  var onError = LoadOptions.FaultHandling.stop

  @Flag(
    name: .shortAndLong,
    help: "Show what is detected and what would be loaded; change nothing.")
  var dryRun = false

  @OptionGroup var reading: ReadingArguments

  @Flag(
    help: """
      Keep texts that the stored values do not preserve, such as 9.50 or 2024-05-01T09:00+02:00, in a column \
      NAME_text beside each column NAME that has any.
      """)
  var keepText = false

  @OptionGroup var far: FarArguments

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func run() async throws {
    let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: quiet)
    let report: LoadReport
    let place: String
    do {
      let address = try far.address(of: store, storeName: storeName)
      let destination = try address.destination()
      place = address.url == nil ? destination.name : store
      var plan = try LoadPlan(
        paths: files, entity: entity, key: key, reading: reading.options(),
        types: reading.records.types.map { ($0.column, $0.type) })
      if keepText { plan.keepLostTexts() }
      if dryRun {
        try LoadPreview(destination.fitted(plan)).write()
      }
      report = try await Self.load(
        plan, into: destination, faults: onError, isTrial: dryRun,
        annotations: OpenedFile.annotations(of: address.keptSubject),
        display: display)
      display.finish()
    } catch {
      display.finish()
      throw Failure(error)
    }
    for note in report.notes { Message.write(note) }
    Message.answer(Self.summary(of: report, store: place, isTrial: dryRun))
    if report.skippedRows > 0 || report.skippedReferences > 0 {
      throw ExitCode(ExitStatus.skipped.rawValue)
    }
  }

  /// Runs a load that Ctrl-C, SIGTERM and SIGHUP cancel.
  static func load(
    _ plan: LoadPlan, into destination: LoadDestination, faults: LoadOptions.FaultHandling,
    isTrial: Bool = false, annotations: SchemaAnnotations? = nil, display: LoadDisplay
  ) async throws -> LoadReport {
    var options = LoadOptions()
    options.faults = faults
    options.isTrial = isTrial
    options.annotations = annotations
    let loader = StoreLoader(
      plan, into: destination, options: options,
      models: ["company": { try SwiftDatastoreModel.sampleCompanies() }])
    let work = _Concurrency.Task { try await loader.run(display.show) }
    let interruption = Interruption {
      work.cancel()
      // A read that waits for a pipe does not notice the cancellation. Exiting here leaves nothing behind,
      // either.
      if plan.readsPipes, !display.isFinishing {
        display.finish()
        let failure = Failure(CancellationError())
        Message.write(failure.message)
        Foundation.exit(failure.status.rawValue)
      }
    }
    defer { interruption.end() }
    return try await work.value
  }

  static func summary(
    of report: LoadReport, store: String, isTrial: Bool = false
  ) -> String {
    var parts: [String] = []
    if report.inserted > 0 { parts.append("\(CountText.grouped(report.inserted)) inserted") }
    if report.updated > 0 { parts.append("\(CountText.grouped(report.updated)) updated") }
    if report.linked > 0 { parts.append("\(CountText.grouped(report.linked)) linked") }
    if report.skippedRows > 0 { parts.append("\(CountText.grouped(report.skippedRows)) skipped") }
    if report.skippedReferences > 0 {
      parts.append("\(CountText.grouped(report.skippedReferences)) references left empty")
    }
    var rows = CountText.counted(report.rows, "row")
    if report.skippedRows > 0 { rows = "\(CountText.grouped(report.rowsTaken)) of \(rows)" }
    let done = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    return isTrial
      ? "Would load \(rows) into \(store)\(done). Nothing was changed."
      : "Loaded \(rows) into \(store)\(done)."
  }
}

extension LoadOptions.FaultHandling: ExpressibleByArgument {}
