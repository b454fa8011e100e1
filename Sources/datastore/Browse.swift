import ArgumentParser
import Basics
import DatastoreBrowser
import DatastoreCore
import DatastoreImport
import Foundation
import Logging
import SQLiteFiles
import SwiftDatastore
import SwiftDatastoreFar
import TerminalUI

/// `datastore browse`: the data browser on the terminal.
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Browse a file in the terminal.",
    discussion: """
      Opens any SQLite file: stores of SwiftDatastore and those of other programs. Without a file, \
      the sample data is loaded once into a store in the user's data directory, and opened.

      Also shows CSV, TSV, JSON and JSON Lines files, pipes, and - for standard input: from a temporary \
      copy, which is removed afterwards, or from new tables of the store that --into names. They may be \
      compressed (.gz, .xz, .zst, .bz2), and .zip, .xlsx and .parquet, which python3 reads. Several files, or the \
      files of a folder, become tables of one temporary store; & suggests how they refer to each other. A CSV or JSON file can be edited: saving writes it in its own encoding, and keeps byte for byte \
      what was not changed. The arrangement of columns and the annotations of a file are kept for its path. Delimiter, header row, \
      encoding and types are detected; options override them. Lines before the header row that begin with # \
      are comments. A temporary copy keeps records that are irregular, such as those with more or fewer fields \
      than the header row, or with quotes where CSV has none; its column “irregular” says which they are.

      postgresql://user@host/database shows the tables of a PostgreSQL server, and so does service=name, which \
      is defined in the service file of PostgreSQL. They are read-only unless --write is given. Passwords belong in ~/.pgpass: everyone who \
      lists the processes sees those in an address.

      ssh://user@host/path/app.sqlite is a SQLite file on another machine (/~/app.sqlite: in the home there), and \
      with --via the file is at the other end of any command, such as a container. Where “datastore” is not installed \
      there, this program can be copied there while it is used; you are asked, or --when-missing says it. Such files \
      are read-only, too, unless --write is given.

      Press ? in the browser for its keys.

        datastore browse people.sqlite --entity employee --group-by department.name
        datastore browse sales.csv --where 'amount > 1000' --order-by 'amount desc'
        datastore browse postgresql://me@host/shop --write
        datastore browse ssh://me@host/var/lib/app/app.sqlite
        datastore browse --via 'docker exec -i web' /data/app.sqlite
      """)

  @Argument(
    help: """
      The file, or several CSV, TSV and JSON files to show together, or a folder of such files; without \
      it, the sample data.
      """, completion: .file())
  var files: [String] = []

  private var file: String? { files.first }

  /// What is said about the databases of a folder, set by `validate()`; nil without any.
  var leftOut: String?

  /// Whether an argument is the path of a local file, not the address of a server or another machine.
  private func isHere(_ file: String) -> Bool {
    !place.isFar(file) && StoreAddress(file).url != nil
  }

  @Option(help: "Without a file: the sample data to show, \(SampleStore.Kind.names).")
  var sample: SampleStore.Kind?

  @Option(help: "The entity (table or view) to begin with.", completion: .entities)
  var entity: String?

  @Option(
    help: """
      What to group rows by: an attribute, a path such as company.name, a part of a date such as \
      created.@month, a place in JSON such as payload.user.name, or an expression.
      """, completion: .columns)
  var groupBy: String?

  @Option(
    name: .customLong("where"),
    help: "Only objects that match a predicate: 'age >= 30 AND name BEGINSWITH[cd] \"T\"'.",
    completion: .columns)
  var predicate: String?

  @Option(help: "The order of the objects: 'surname, age desc'.", completion: .columns)
  var orderBy: String?

  @Option(
    help: "The colours: a name from the themes, or a base16 or base24 scheme file (YAML).",
    completion: .themes)
  var theme: String?

  @Option(
    help:
      "The configuration; without it, config.yaml in XDG_CONFIG_HOME/datastore, if it is there.",
    completion: .file())
  var config: String?

  @Flag(help: "Print plain lines for a screen reader instead of drawing the screen.")
  var screenReader = false

  @Flag(help: "Open the file read-only, so that nothing can be written by mistake.")
  var readOnly = false

  @Flag(
    help:
      "Allow changes to a database in a server or a file elsewhere; without it, they are read-only."
  )
  var write = false

  @OptionGroup var place: PlaceArguments

  @OptionGroup var ofCoreData: CoreDataModelArgument

  @Flag(help: "Also show join tables, which are many-to-many relationships, as tables.")
  var joinTables = false

  @Flag(
    name: .customLong("no-annotations"),
    help:
      "Show the file as it declares itself, and ignore what the browser has remembered about it (names, relationships, dates, types, units, hidden entities); nothing new is remembered."
  )
  var ignoresAnnotations = false

  @Option(
    help: "For files of rows: the store to keep the rows in; without it they are not kept.",
    completion: .file())
  var into: String?

  @Option(
    help: """
      Do the steps of a session that was saved in the browser (:save-session), without a terminal, and \
      print the last screen.
      """, completion: .file())
  var replay: String?

  @OptionGroup(title: "Reading CSV and JSON") var reading: ReadingArguments

  mutating func validate() throws {
    leftOut = files.filter { isHere($0) }.compactMap { Self.databases(in: $0) }.first
    files = files.flatMap { isHere($0) ? BrowsedRows.files(in: $0) ?? [$0] : [$0] }
    if let file, isHere(file), !FileManager.default.fileExists(atPath: file),
      let meant = Suggestion.closest(to: file, in: Datastore.commandNames)
    {
      throw ValidationError(
        "There is no file and no command “\(file.shownInMessage)”; did you mean datastore \(meant)?"
      )
    }
    if files.count > 1 {
      if let other = files.first(where: { !BrowsedRows.reads($0, reading, place) }) {
        throw ValidationError(
          "Several files are browsed together where all of them are CSV, TSV or JSON; "
            + "\(other.shownInMessage) is not.")
      }
    }
    if into != nil, file.map({ BrowsedRows.reads($0, reading, place) }) != true {
      throw ValidationError(
        "--into is for CSV, TSV, JSON and JSON Lines files, archives and workbooks.")
    }
    if let into, StoreAddress(into).url == nil {
      throw ValidationError(
        "--into keeps the rows in a SQLite file; `datastore load` loads them into a server.")
    }
    if write, readOnly { throw ValidationError("Give --write or --read-only, not both.") }
    if write, file.map(isHere) != false {
      throw ValidationError(
        "--write is for databases in servers and files elsewhere; files here can be changed without it."
      )
    }
    if file != nil, sample != nil {
      throw ValidationError("Give a file or --sample, not both.")
    }
  }

  /// A sentence about the databases in a folder whose files of rows are shown; nil for another path, and for
  /// a folder without any.
  private static func databases(in folder: String) -> String? {
    guard BrowsedRows.files(in: folder) != nil,
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return nil }
    let found = names.sorted().filter {
      !$0.begins(with: ".") && FileHeader.isDatabase("\(folder)/\($0)")
    }
    if found.isEmpty { return nil }
    let shown = found.prefix(5).map(\.shownInMessage).joined(separator: ", ")
    let more = found.count > 5 ? " and \(found.count - 5) more" : ""
    return "Databases of \(folder) are not shown with its files of rows: \(shown)\(more); browse "
      + "each by its name."
  }

  @MainActor
  func run() async throws {
    // For a shell, the exit status of a program that a signal ended is 128 and the number of the signal.
    if let signal = try await browse() { throw ExitCode(128 + signal) }
  }

  /// Shows the browser until the user leaves it; returns the signal that ended it, if any.
  @MainActor
  private func browse() async throws -> Int32? {
    do {
      if let leftOut { Message.write(leftOut) }
      // Everything that can fail comes before the browser takes the screen.
      var configuration = try UserConfiguration.read(config)
      if screenReader { configuration.isForScreenReader = true }
      let theme = try (theme ?? configuration.theme).map(ThemeFile.theme)
      var rows = try await browsedRows()
      defer { rows?.remove() }
      let address: StoreAddress
      if let rows { address = .file(rows.store) } else { address = try await storeAddress() }
      defer { address.leave() }
      // A copy is a new store each time, so its annotations are kept for its files.
      let copied = files.contains(where: LoadPlan.isNameless) ? [] : files
      let subject =
        rows?.copiedName == nil ? address.keptSubject : KeptSubject(files: copied)
      // Saved changes must be on the disk before their recovery file is removed.
      var options = SwiftDatastore.Options(synchronous: .extra)
      let logger = Logger(label: "datastore")
      options.showsJoinTables = joinTables
      options.coreDataModel = try ofCoreData.read()
      options.annotations =
        ignoresAnnotations ? SchemaAnnotations() : OpenedFile.annotations(of: subject)
      options.faultFailed = { logger.error("a value could not be read: \($0)") }
      let isReadOnly = rows == nil && (readOnly || address.url == nil && !write)
      var datastore = try address.datastore(readOnly: isReadOnly, options: options)
      if !ignoresAnnotations, let kept = address.keptServer(of: datastore).map(KeptSubject.init),
        kept != subject
      {
        let annotations = OpenedFile.annotations(of: kept)
        // Types and relationships that the user has declared are part of the schema, so the store is opened
        // again.
        if !annotations.isEmpty {
          try datastore.close()
          options.annotations = annotations
          datastore = try address.datastore(readOnly: isReadOnly, options: options)
        }
      }
      var view = try ViewArguments(
        entity: rows?.isLoaded == true ? entity ?? rows?.entity : rows?.entity ?? entity,
        groupBy: groupBy,
        predicate: predicate, order: orderBy
      ).options(for: datastore.schema)
      if file == nil, entity == nil, groupBy == nil, predicate == nil, orderBy == nil {
        (view.entity, view.groupBy) = (sample ?? .company).firstView
      }
      view.theme = theme
      view.panes = .byRoom
      view.stateDirectory = UserDirectory.state
      view.isFirstRun = !FileManager.default.fileExists(atPath: UserDirectory.state.path)
      view.filterFiles = FilterFiles(
        saved: UserDirectory.configuration.appendingPathComponent("filters.yaml"),
        history: UserDirectory.state.appendingPathComponent("filter-history.yaml"))
      view.themeFolders = ThemeFile.folders
      view.configuration = configuration
      view.server = address.keptServer(of: datastore)
      view.watchesFile = true
      view.watchAnswering = { [datastore] in datastore.onFarAnswering($0) }
      view.keepsAnnotations = !ignoresAnnotations
      logger.info("browsing \(datastore.storeName)")
      // Several files are loaded already; a single one is loaded while the browser shows it.
      view.importing = rows?.isLoaded == true ? nil : rows?.sources.first
      view.guessedTypes = rows?.guess
      view.copiedFile = rows?.copiedName
      view.notices = leftOut.map { [$0] } ?? []
      // No command asks the copy of a file elsewhere: it goes with the browser.
      if let copy = address.copy { (view.farCopyTime, view.queriedFiles) = (copy.time, []) }
      if let rows, rows.copiedName != nil {
        view.rowSources = rows.sources
        view.queriedFiles = copied
        view.readingWords = reading.wordsOfQuery
      }
      if let rows, rows.copiedName != nil, !readOnly {
        let files = try rows.sources.compactMap { try SourceFile($0) }
        // If one of them cannot be written, edits of it could not be saved.
        if files.count == rows.sources.count {
          view.sourceFiles = files
        } else {
          view.copyRefusal = try rows.sources.lazy.compactMap { try $0.rewritingRefusal() }.first?
            .description
        }
      }
      if let replay {
        let script: SessionScript
        do {
          script = try SessionScript(contentsOfFile: replay)
        } catch {
          throw Failure(.badData, String(describing: error))
        }
        try await self.replay(script, of: datastore, view)
        return nil
      }
      while true {
        let browser = Browser(datastore, terminal: Self.terminal(configuration), options: view)
        let signal = try await browser.run()
        try browser.datastore.close()
        guard let reason = browser.reopening else {
          if view.sourceFiles.isEmpty, let name = view.copiedFile {
            Message.write("nothing of \(name) was stored")
          }
          return signal
        }
        switch reason {
        case .newTable(let source): view = view.opening(source)
        case .otherTypes:
          let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: false)
          Message.write(
            "\(rows?.copiedName ?? "the file") has other types after its beginning; its table is created again"
          )
          try await rows?.makeTableOfWholeFile(display)
          view.guessedTypes = nil
        }
        // Opening again adds the new table to the schema.
        datastore = try address.datastore(readOnly: false, options: options)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Replays a session on a screen in memory, and prints the last screen.
  @MainActor
  private func replay(
    _ script: SessionScript, of datastore: SwiftDatastore, _ options: BrowserOptions
  ) async throws {
    var options = options
    // The script says where its session begins, and not the view that a user has left.
    options.stateDirectory = nil
    options.watchesFile = false
    var size = Size(columns: 80, rows: 24)
    for case (_, .size(let first)) in script.steps.prefix(1) { size = first }
    let terminal = MemoryTerminal(size: size)
    let browser = Browser(datastore, terminal: terminal, options: options)
    let outcome = try await browser.run(script)
    try browser.datastore.close()
    for line in terminal.picture {
      print(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    if let unsaved = outcome.unsaved { Message.write("not saved: \(unsaved)") }
    if let failure = outcome.failure { throw Failure(.skipped, failure) }
  }

  @MainActor
  private static func terminal(_ configuration: Configuration) -> any Terminal {
    configuration.isForScreenReader
      ? LineTerminal()
      : CursesTerminal(glyphs: configuration.glyphs, usesMouse: configuration.usesMouse)
  }

  /// The store of a file of rows; nil for a database.
  private func browsedRows() async throws -> BrowsedRows? {
    guard let file, BrowsedRows.reads(file, reading, place) else { return nil }
    if readOnly, into != nil {
      throw Failure(.usage, "--read-only and --into cannot be combined.")
    }
    if !files.contains("-") { try requireTerminal() }
    let display = LoadDisplay(isTerminal: Message.isTerminal, isQuiet: false)
    let rows =
      files.count > 1 || ConvertedFormat(of: file) != nil
      ? try await BrowsedRows(
        loading: files, into: into, entity: entity, reading: reading, display: display)
      : try await BrowsedRows(
        table: file, into: into, entity: entity, reading: reading,
        // The tables of a kept store and of a replay are not created again, so their types must not be
        // guesses.
        guesses: into == nil && replay == nil, display: display)
    if files.contains("-") {
      // Standard input has been read to its end; from now on, the keyboard takes its place.
      let keyboard = open("/dev/tty", O_RDWR)
      if keyboard >= 0 {
        dup2(keyboard, STDIN_FILENO)
        close(keyboard)
      }
    }
    return rows
  }

  private func requireTerminal() throws {
    if isatty(STDIN_FILENO) == 0 { throw TerminalError.notATerminal(stream: "standard input") }
    if isatty(STDOUT_FILENO) == 0 { throw TerminalError.notATerminal(stream: "standard output") }
  }

  private func storeAddress() async throws -> StoreAddress {
    if let file { return try place.address(of: file) }
    if place.storeName != nil {
      throw Failure(
        .usage, "--store-name names a store in a server; give the address of the server, too.")
    }
    // Without a terminal, the sample data must not be loaded, because it cannot be shown.
    try requireTerminal()
    return .file(try await SampleStore(sample ?? .company).prepared())
  }
}
