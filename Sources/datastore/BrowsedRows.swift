import Basics
import DatastoreCore
import DatastoreImport
import DatastoreSQLite
import Foundation
import Gates
import SQLiteFiles
import SwiftDatastore

/// Files of rows (CSV, TSV, JSON, JSON Lines, compressed or not, and formats that are converted to such text)
/// as a store with a table for each file. The store is a temporary one, or the one that the user names.
struct BrowsedRows {
  let store: URL
  /// The files, pipes or `-`, with the tables that each fills.
  let sources: [LoadSource]
  /// The exit status: whether records were irregular, or left out.
  var status: ExitStatus {
    let report = live?.rows.report ?? report
    return report.skippedRows > 0 ? .skipped : report.irregular.count > 0 ? .irregular : .success
  }
  /// The file as a store that reads the file itself for each query; nil if its rows are copied into a store.
  private let live: (rows: FileRows, store: SQLiteStore)?
  /// The directory of the temporary store; nil if there is none.
  private let directory: ProcessDirectory?
  private let report: LoadReport
  /// Whether all rows are in the store.
  let isLoaded: Bool
  /// The types of a table that were guessed from the beginning of the file; nil if they are those of all
  /// rows.
  private(set) var guess: GuessedTypes?

  private static let prefix = "datastore-browse-"

  /// Whether a path is that of a file of rows, not of a database: by its name or its beginning, because
  /// options describe its rows, or because it is a pipe, which cannot be a database.
  static func reads(
    _ path: String, _ reading: ReadingArguments, _ place: PlaceArguments
  ) -> Bool {
    if place.isFar(path) { return false }
    if path == "-" || ReadableFile.isPipe(path) { return true }
    return hasRows(path) || reading.areGiven && !FileHeader.isDatabase(path)
  }

  /// Whether a path is that of a file of rows, by its name or its beginning.
  static func hasRows(_ path: String) -> Bool {
    FileFormat.isNamed(by: path)
      ? !FileHeader.isDatabase(path) : FileFormat.isBegun(in: path)
  }

  /// The files of rows in a folder, by their names and in the order of these; nil for another path, and for a
  /// folder without any.
  static func files(in folder: String) -> [String]? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return nil
    }
    let start = folder.ends(with: "/") ? folder : folder + "/"
    let files = names.sorted().filter { !$0.begins(with: ".") && FileFormat.isNamed(by: $0) }
      .map { start + $0 }.filter { FileHeader.isRegular($0) && hasRows($0) }
    return files.isEmpty ? nil : files
  }

  /// Detects the types of all columns of a file and creates its table without rows, which the browser fills.
  ///
  /// - Parameters:
  ///   - kept: the store that keeps the rows; nil for a temporary one.
  ///   - entity: the name of the table; without it, the file's name.
  ///   - guesses: whether to detect the types from the beginning of the file only; see `guess`.
  /// - Throws: `ImportError`, `StoreError`, `LoadPlanFault`, `Failure`.
  init(
    table path: String, into kept: String?, entity: String?, reading: ReadingArguments,
    guesses: Bool, display: LoadDisplay
  ) async throws {
    var plan = try Self.plan([path], entity: entity, reading: reading, isView: kept == nil)
    try plan.spoolPipes { display.show(.waiting($0)) }
    sources = plan.sources
    report = LoadReport()
    (live, isLoaded) = (nil, false)
    if let kept {
      directory = nil
      store = URL(fileURLWithPath: kept)
    } else {
      let directory = try UserDirectory.temporary(Self.prefix)
      self.directory = directory
      store = directory.url.appendingPathComponent(Self.name(of: [path]))
    }
    do {
      guess = try await Self.makeTable(plan, in: store, guesses: guesses, display)
    } catch {
      directory?.remove()
      throw error
    }
  }

  /// Creates the table of the temporary store again, with the types of the whole file.
  ///
  /// - Throws: `ImportError`, `StoreError`, `Failure`.
  mutating func makeTableOfWholeFile(_ display: LoadDisplay) async throws {
    FileSurroundings.removeDatabase(store.path)
    guess = try await Self.makeTable(
      LoadPlan(sources: sources), in: store, guesses: false, display)
  }

  /// Loads files into a store, each table into one of its own.
  ///
  /// - Parameters:
  ///   - kept: the store that keeps the rows; nil for a temporary one.
  ///   - entity: the table for a file without a name; `input` by default.
  /// - Throws: `ImportError`, `LoadError`, `StoreError`, `LoadPlanFault`, `Failure`.
  init(
    loading paths: [String], into kept: String?, entity: String?, reading: ReadingArguments,
    display: LoadDisplay
  ) async throws {
    var plan = try Self.plan(paths, entity: entity, reading: reading, isView: kept == nil)
    try plan.spoolPipes { display.show(.waiting($0)) }
    if let kept { try Self.requireNewTables(for: plan, in: URL(fileURLWithPath: kept)) }
    try await self.init(loading: plan, named: paths, into: kept, display: display)
    for note in report.notes { Message.write(note) }
  }

  /// - Throws: `Failure` if a store has a table that the plan fills.
  private static func requireNewTables(for plan: LoadPlan, in store: URL) throws {
    guard let entity = LoadDestination(store).entity(filledBy: plan) else { return }
    throw Failure(
      .cannotCreate,
      "\(store.path) has the table “\(entity.name.shownInMessage)” already; `datastore load` "
        + "adds rows to it.")
  }

  private init(
    loading plan: LoadPlan, named paths: [String], into kept: String? = nil, display: LoadDisplay
  ) async throws {
    sources = plan.sources
    isLoaded = true
    live = nil
    let directory: ProcessDirectory? = try kept == nil ? UserDirectory.temporary(Self.prefix) : nil
    self.directory = directory
    store =
      directory?.url.appendingPathComponent(Self.name(of: paths))
      ?? URL(fileURLWithPath: kept ?? Self.name(of: paths))
    do {
      defer { display.finish() }
      report = try await Load.load(
        plan, into: LoadDestination(store), faults: .skip, display: display)
      // A single table has no references, and a kept store is left as it is.
      guard sources.count > 1, kept == nil else { return }
      let made = try SwiftDatastore.store(opening: store)
      try made.indexReferencedColumns()
      try made.close()
    } catch {
      directory?.remove()
      throw error
    }
  }

  /// The kind of access that a command needs.
  enum Question {
    /// One query, which reads the rows from beginning to end.
    case rows
    case types
    /// Statements, which may look rows up repeatedly: they need a copy.
    case statement
  }

  /// Opens the input of a command for `body`: a store or a single file of rows directly, several files as a
  /// temporary store, which is removed afterwards.
  ///
  /// - Parameters:
  ///   - entity: the only table that is needed; nil for all of them.
  ///   - portion: the part of a single file to try first; nil if all of it is needed.
  ///   - body: receives the path of the store, and the rows if the input is files of rows.
  /// - Throws: `Failure`.
  static func withStore(
    of file: String, _ input: InputArguments, in place: PlaceArguments, for question: Question,
    entity: String? = nil, portion: Portion? = nil,
    _ body: (String, BrowsedRows?) throws -> Void
  ) async throws {
    guard reads(file, input.reading, place) else {
      guard input.others.isEmpty else {
        throw Failure(.usage, "--with adds files to a CSV or JSON file, not to a store.")
      }
      return try body(file, nil)
    }
    do {
      let paths = [file] + input.others
      var plan = try plan(paths, entity: nil, reading: input.reading, isView: true)
      if let entity, input.others.isEmpty, ConvertedFormat(of: file) != nil {
        plan.keep(only: entity)
      }
      // The types are those of a table that keeps values.
      if question == .types {
        for index in plan.sources.indices { plan.sources[index].reading.csv.keepsText = false }
      }
      let portion = plan.sources.count == 1 ? portion : nil
      let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: true)
      try plan.spoolPipes(isComplete: portion == nil) { display.show(.waiting($0)) }
      let live = portion.map { plan.limited(to: $0.count) } ?? plan
      if plan.sources.count == 1, question != .statement,
        try ask(live, guesses: question == .rows, body)
      {
        return
      }
      if let portion, let found = await firstRows(of: plan, named: paths, portion) {
        defer { found.remove() }
        return try body(found.store.path, found)
      }
      let rows = try await BrowsedRows(loading: plan, named: paths, display: display)
      defer { rows.remove() }
      for note in rows.report.notes { Message.write(note) }
      try body(rows.store.path, rows)
    } catch {
      throw Failure(error)
    }
  }

  private init(_ rows: FileRows, of plan: LoadPlan) throws {
    sources = plan.sources
    (directory, report, isLoaded) = (nil, LoadReport(), false)
    store = URL(fileURLWithPath: Self.name(of: plan.sources.map(\.name)))
    live = (rows, try SQLiteStore(rows.schema, rowsFrom: rows))
  }

  /// The file as a store; nil if its rows are copied into one.
  var opened: (any StoreEngine)? { live?.store }

  /// Checks whether the whole file has the guessed types; nil if the types are known already.
  var confirm: (() throws -> Void)? { live?.rows.confirm }

  /// Lets `body` query a file directly, without a copy; false unless the file has exactly one table.
  private static func ask(
    _ plan: LoadPlan, guesses: Bool, _ body: (String, BrowsedRows?) throws -> Void
  ) throws -> Bool {
    for isGuess in guesses ? [true, false] : [false] {
      let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: true, holdsFaults: true)
      guard let file = try FileRows(plan, isGuess: isGuess, display.show) else { return false }
      let rows = try BrowsedRows(file, of: plan)
      do {
        try body(rows.store.path, rows)
      } catch {
        try? rows.live?.store.close()
        // Only records after the beginning may have the column.
        let isUnknown = (error as? Failure)?.status == .usage
        if isGuess, file.isRefuted || isUnknown && !file.isConfirmed { continue }
        // With other reading options, the file might have the column.
        if isUnknown { for note in file.report.notes { Message.write(note) } }
        throw file.failure ?? error
      }
      try rows.live?.store.close()
      display.showHeld()
      for note in file.report.notes { Message.write(note) }
      return true
    }
    return true
  }

  /// The first part of a file, which is tried before reading all of it.
  struct Portion {
    let count: Int
    /// Whether a store of the first records suffices for the whole answer.
    let suffices: (_ store: String, _ rows: BrowsedRows) throws -> Bool
  }

  /// The first records, as many as suffice; nil if the whole file is needed, in which case loading it reports
  /// its faults.
  private static func firstRows(
    of plan: LoadPlan, named paths: [String], _ portion: Portion
  ) async -> BrowsedRows? {
    var count = portion.count
    // Each attempt reads so many more records that reading the first ones again costs little.
    while count < 10_000_000 {
      let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: true, holdsFaults: true)
      guard
        let rows = try? await BrowsedRows(
          loading: plan.limited(to: count), named: paths, display: display)
      else { return nil }
      if (try? portion.suffices(rows.store.path, rows)) == true {
        display.showHeld()
        for note in rows.report.notes { Message.write(note) }
        return rows
      }
      rows.remove()
      count = max(count, 1_000) * 16
    }
    return nil
  }

  /// - Parameter isView: whether the files are only shown, so that irregular records and original texts are
  ///   kept.
  private static func plan(
    _ paths: [String], entity: String?, reading: ReadingArguments, isView: Bool
  ) throws -> LoadPlan {
    var options = reading.options()
    if isView {
      options.csv.keepsIrregular = true
      options.json.keepsIrregular = true
      options.csv.keepsText = true
    }
    return try LoadPlan(
      tables: paths, entity: entity, reading: options,
      types: reading.records.types.map { ($0.column, $0.type) })
  }

  /// The texts in the file for the cells of an answer; nil if no cell comes from a file. Appends the key of
  /// the row to the columns of the query.
  ///
  /// - Parameter areTyped: whether only moments get a text, with the digits that their values lack.
  /// - Throws: `ImportError`.
  func texts(
    of entity: Entity, for query: inout ValueQuery, in schema: Schema, areTyped: Bool
  ) throws -> SourceTexts? {
    let source =
      live?.rows.source
      ?? sources.first {
        if case .entity(let content) = $0.content { content.entity == entity.name } else { false }
      }
    let slots = query.columns.map { column -> Slot? in
      guard case .value(.keyPath(let path)) = column.term, path.count == 1,
        let slot = entity.slot(named: path[0]), let attribute = entity.properties[slot].attribute
      else { return nil }
      return !areTyped || attribute.type == .date && attribute.dateConvention == nil ? slot : nil
    }
    guard let source, query.grouping == nil, slots.contains(where: { $0 != nil }),
      let texts = try SourceTexts(
        of: source, as: entity, columns: slots, areEdited: false, areTyped: areTyped,
        areAllRows: { [live, report] in live?.rows.areAllRows ?? (report.skippedRows == 0) },
        known: { [live] in live?.rows.texts(of: $0) },
        place: { [live] in live?.rows.place(ofStride: $0) })
    else { return nil }
    if query.storedSlots(of: entity) != nil { live?.rows.keepTexts(of: slots) }
    query.columns.append(QueryColumn(.key([]), from: entity, in: schema))
    return texts
  }

  /// The name of the store that the browser shows.
  private static func name(of paths: [String]) -> String {
    if paths.count > 1 { return "\(paths.count) files" }
    return paths.first.map {
      LoadPlan.isNameless($0) ? "input" : URL(fileURLWithPath: $0).lastPathComponent
    } ?? "input"
  }

  /// The name of the first table.
  var entity: String {
    if case .entity(let content)? = sources.first?.content { return content.entity }
    return ""
  }

  /// The name of the temporary copy; nil if the rows are kept.
  var copiedName: String? { directory == nil ? nil : store.lastPathComponent }

  func remove() {
    directory?.remove()
  }

  /// - Parameter guesses: whether to detect the types from the beginning of the file only.
  /// - Returns: the guessed types, if the rest of the file may have others.
  private static func makeTable(
    _ plan: LoadPlan, in store: URL, guesses: Bool, _ display: LoadDisplay
  ) async throws -> GuessedTypes? {
    defer { display.finish() }
    let loader = StoreLoader(plan, into: store)
    guard loader.isNewStore else {
      guard try await loader.makeTables(display.show).isEmpty == false else {
        throw Failure(
          .cannotCreate,
          "\(store.path) has that table already; `datastore load` adds rows to it, and --entity "
            + "gives the new table another name.")
      }
      return nil
    }
    let sampleSize = guesses ? LoadOptions().sampleSize : nil
    let found = try plan.inferredSchema(sampleSize: sampleSize) { display.show(.progress($0)) }
    try SwiftDatastore(schema: found.schema, url: store).close()
    display.finish()
    // They are written before the browser takes the screen, and visible again after it.
    for note in found.notes { Message.write(note) }
    return found.isGuess ? GuessedTypes(found) : nil
  }
}

extension LoadPlan {
  /// Leaves out all tables but the one that a name means, as `OpenedFile.entity(named:in:)` reads it; none if
  /// there is no such table.
  fileprivate mutating func keep(only name: String) {
    func named(_ isMeant: (String) -> Bool) -> [LoadSource] {
      sources.filter {
        if case .entity(let content) = $0.content { isMeant(content.entity) } else { false }
      }
    }
    let exact = named { $0 == name }
    let found = exact.isEmpty ? named { $0.caselessKey == name.caselessKey } : exact
    if found.count == 1 { sources = found }
  }
}
