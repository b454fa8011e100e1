import DatastoreCore
import DatastoreImport
import DatastoreSQLite
import Foundation
import Gates
import SQLiteFiles
import SwiftDatastore

/// Files of rows (CSV, TSV, JSON, JSON Lines, compressed or not, and what such text is made of) that are
/// looked at: a store with a table for each. The store is a temporary one, or the one that the user names.
struct BrowsedRows {
  let store: URL
  /// The files, pipes, or `-`, with the tables that they fill.
  let sources: [LoadSource]
  /// What scripts learn about records that are irregular, or were left out.
  var status: ExitStatus {
    let report = live?.rows.report ?? report
    return report.skippedRows > 0 ? .skipped : report.irregular.count > 0 ? .irregular : .success
  }
  /// The file that is read when its rows are asked for, as a store; nil where they are copied into one.
  private let live: (rows: FileRows, store: SQLiteStore)?
  /// What is removed in the end; nil where the rows are kept.
  private let directory: ProcessDirectory?
  /// What loading the rows has reported.
  private let report: LoadReport
  /// Whether all rows are in the store.
  let isLoaded: Bool
  /// The types by which the table was made, where only the beginning of the file was read.
  private(set) var guess: GuessedTypes?

  private static let prefix = "datastore-browse-"

  /// Whether a path is that of such a file, and not of a database: by its name, because it is said how
  /// its rows are read, or because it is a pipe, which no database can be.
  static func reads(
    _ path: String, _ reading: ReadingArguments, _ place: PlaceArguments
  ) -> Bool {
    if place.isFar(path) { return false }
    if path == "-" || ReadableFile.isPipe(path) { return true }
    guard FileFormat.isNamed(by: path) || reading.areGiven else { return false }
    return !FileHeader.isDatabase(path)
  }

  /// Finds the types of all columns of one file and makes a table of them, without rows: the browser fills
  /// it.
  ///
  /// - Parameters:
  ///   - kept: the store that keeps the rows; nil for a temporary one.
  ///   - entity: the name of the table; without it, the file's name.
  ///   - guesses: whether the beginning of the file says what its types are; see `guess`.
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
      let directory = try Self.makeDirectory()
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

  /// Makes the table of the temporary store again, with the types of the whole file.
  ///
  /// - Throws: `ImportError`, `StoreError`, `Failure`.
  mutating func makeTableOfWholeFile(_ display: LoadDisplay) async throws {
    FileSurroundings.removeDatabase(store.path)
    guess = try await Self.makeTable(
      LoadPlan(sources: sources), in: store, guesses: false, display)
  }

  /// Loads files into a temporary store, each into a table of its own.
  ///
  /// - Parameter entity: the name of the table of a file that has none; without it `input`.
  /// - Throws: `ImportError`, `LoadError`, `StoreError`, `LoadPlanFault`, `Failure`.
  init(
    loading paths: [String], entity: String?, reading: ReadingArguments, display: LoadDisplay
  ) async throws {
    var plan = try Self.plan(paths, entity: entity, reading: reading, isView: true)
    try plan.spoolPipes { display.show(.waiting($0)) }
    try await self.init(loading: plan, named: paths, display: display)
    for note in report.notes { Message.write(note) }
  }

  private init(loading plan: LoadPlan, named paths: [String], display: LoadDisplay) async throws {
    sources = plan.sources
    isLoaded = true
    live = nil
    let directory = try Self.makeDirectory()
    self.directory = directory
    store = directory.url.appendingPathComponent(Self.name(of: paths))
    do {
      defer { display.finish() }
      report = try await Load.load(
        plan, into: LoadDestination(store), faults: .skip, display: display)
      // One table refers to no other.
      guard sources.count > 1 else { return }
      let made = try SwiftDatastore.store(opening: store)
      try made.indexReferencedColumns()
      try made.close()
    } catch {
      directory.remove()
      throw error
    }
  }

  /// What is asked of files of rows.
  enum Question {
    /// One question about the rows, which are read from their beginning to their end.
    case rows
    /// The types of the columns.
    case types
    /// Statements, which may look rows up again and again: they need a copy.
    case statement
  }

  /// Opens what a command reads for `body`: a store and a file of rows as they are, several files as a
  /// temporary store that is removed behind it.
  ///
  /// - Parameters:
  ///   - portion: with how much of one file it is tried first; nil where all of it is needed.
  ///   - body: takes the path of the store, and the rows where there are any.
  /// - Throws: `Failure`.
  static func withStore(
    of file: String, _ input: InputArguments, in place: PlaceArguments, for question: Question,
    portion: Portion? = nil,
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

  /// The file as a store, where its rows are not copied into one.
  var opened: (any StoreEngine)? { live?.store }

  /// Finds out whether the types are those of the whole file; nil where they are.
  var confirm: (() throws -> Void)? { live?.rows.confirm }

  /// Has `body` ask a file as it is, without a copy; false where there is not one table.
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
        // A column may be one that only records behind the beginning have.
        let isUnknown = (error as? Failure)?.status == .usage
        if isGuess, file.isRefuted || isUnknown && !file.isConfirmed { continue }
        // Or one that the file would have if it had been read as it was meant.
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

  /// How much of a file is read before it is seen whether that is enough.
  struct Portion {
    /// The number of records.
    let count: Int
    /// Whether nothing more can be shown than is in a store of the first records.
    let suffices: (_ store: String, _ rows: BrowsedRows) throws -> Bool
  }

  /// The first records, as many as are enough; nil where all of the file is needed. What is wrong with it is
  /// told then.
  private static func firstRows(
    of plan: LoadPlan, named paths: [String], _ portion: Portion
  ) async -> BrowsedRows? {
    var count = portion.count
    // Each time so many more that what is read again does not count.
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

  /// - Parameter isView: whether the files are only looked at, so that all that they have is shown as it
  ///   stands there.
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

  /// What the cells of an answer are in the file that their rows were read from, with the key of the row as a
  /// further column of the query; nil where no cell is one of a file.
  ///
  /// - Throws: `ImportError`.
  func texts(
    of entity: Entity, for query: inout ValueQuery, in schema: Schema
  ) throws -> SourceTexts? {
    let source =
      live?.rows.source
      ?? sources.first {
        if case .entity(let content) = $0.content { content.entity == entity.name } else { false }
      }
    let slots = query.columns.map { column -> Slot? in
      guard case .value(.keyPath(let path)) = column.term, path.count == 1,
        let slot = entity.slot(named: path[0])
      else { return nil }
      return entity.properties[slot].attribute == nil ? nil : slot
    }
    guard let source, query.grouping == nil, slots.contains(where: { $0 != nil }),
      let texts = try SourceTexts(
        of: source, as: entity, columns: slots, areEdited: false,
        areAllRows: { [live, report] in live?.rows.areAllRows ?? (report.skippedRows == 0) },
        known: { [live] in live?.rows.texts(of: $0) },
        place: { [live] in live?.rows.place(ofStride: $0) })
    else { return nil }
    if query.storedSlots(of: entity) != nil { live?.rows.keepTexts(of: slots) }
    query.columns.append(QueryColumn(.key([]), from: entity, in: schema))
    return texts
  }

  /// What the browser shows as the name of the store.
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

  /// The name that the file is called by, when nothing of it is kept.
  var copiedName: String? { directory == nil ? nil : store.lastPathComponent }

  /// Removes the temporary store.
  func remove() {
    directory?.remove()
  }

  /// - Parameter guesses: whether the beginning of the file says what its types are.
  /// - Returns: these types, where the rest of the file may have others.
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
    // They are above the screen, and are there again when it is left.
    for note in found.notes { Message.write(note) }
    return found.isGuess ? GuessedTypes(found) : nil
  }

  private static func makeDirectory() throws -> ProcessDirectory {
    do {
      return try ProcessDirectory(prefix: prefix)
    } catch {
      throw Failure(
        .cannotCreate,
        "No temporary directory could be created in \(FileManager.default.temporaryDirectory.path): "
          + error.localizedDescription)
    }
  }
}
