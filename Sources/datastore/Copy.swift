import ArgumentParser
import Basics
import DatastoreCore
import DatastoreExport
import DatastoreFar
import DatastoreImport
import DatastoreSQL
import DatastoreSQLite
import Foundation
import Gates
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// `datastore copy`: copies a store into a new one, in a file or in a server.
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Copy a store, or the tables of any program: a file into a server, or a server into a file.",
    discussion: """
      STORE and the new one are files, or postgresql://user@host/database: then --store-name says which store of \
      the database, that is, which schema, and --as what the new one is called where that is another name. Both \
      are stores of SwiftDatastore; no model is needed, since a store describes itself. STORE may also be a Core Data \
      store: the new one has its entities, attributes and relationships, and can be changed. What the new one cannot \
      keep is listed: references that lead nowhere, values whose files are gone, and what only Core Data knows. Where required \
      values are missing, or unique ones are not unique, the objects are copied and the new store drops that rule.

      Any other SQLite file is copied into another file as it is, with its journal mode, and with its faults, which are \
      told; into a PostgreSQL database, and any other database into \
      a file, as plain tables: with \
      their rows, keys, indexes and foreign keys, under their names. Each column gets the type that all its values fit. \
      Differences are listed: columns whose values do not fit their declaration, views, triggers, checks. Existing tables \
      are not touched. --as creates the tables in a schema of that name, --store-name reads those of one; \
      --dry-run shows the statements.

      Both can be files elsewhere, ssh://user@host/path, and STORE with --via. Such a file is copied there by SQLite, and \
      comes here as it is, or is made here and goes there.

      The copy has one state of the store, and others can save meanwhile. The copy of a file has its permissions. Objects and rows keep their keys. A file \
      copied from a server is a backup that opens without one. A copy that fails, or is ended by Ctrl-C, leaves nothing behind.

        datastore copy company.sqlite --into backup.sqlite
        datastore copy company.sqlite --into postgresql://me@host/work --as company
        datastore copy ssh://me@host/var/lib/app/app.sqlite --into app.sqlite
        datastore copy shop.sqlite --into postgresql://me@host/shop --dry-run
        datastore copy postgresql://me@host/shop --into shop.sqlite
      """)

  @Argument(
    help: "The store, or the tables of any program: a file, or a postgresql:// or ssh:// address.",
    completion: .file())
  var store: String

  @Option(
    name: .customLong("into"),
    help: ArgumentHelp("A new file, or a postgresql:// or ssh:// address.", valueName: "new"),
    completion: .file())
  var new: String

  @Option(
    help: ArgumentHelp(
      "The store in the database of a server: a schema, by default “datastore”, or the tables of all schemas.",
      valueName: "name"))
  var storeName: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "The name of the new store, or of the schema of the new tables, in its server.",
      valueName: "name"))
  var newName: String?

  @Flag(
    name: .shortAndLong,
    help: "Show the statements that would make the tables of another program, and make nothing.")
  var dryRun = false

  @OptionGroup var ofCoreData: CoreDataModelArgument

  @OptionGroup var far: FarArguments

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  func validate() throws {
    let isFromServer = StoreAddress(store).isServer && !far.isFar(store)
    if storeName != nil, !isFromServer, !StoreAddress(new).isServer {
      throw ValidationError("--store-name names a store in a server; a file has one store.")
    }
    if newName != nil, !StoreAddress(new).isServer {
      throw ValidationError("--as names a store in a server; a file is named by its path.")
    }
  }

  func run() async throws {
    do {
      let from = try far.address(of: store)
      guard let into = try far.addressOfSSH(new) else {
        guard let from else {
          return try await copy(
            MigrationTarget(store, storeName: storeNameThere), StoreAddress(new))
        }
        return try await withDirectory {
          try await copy(brought(from, into: $0), StoreAddress(new))
        }
      }
      try await withDirectory { directory in
        let made = directory.appendingPathComponent("new.sqlite")
        let source =
          if let from { try await brought(from, into: directory) } else {
            try MigrationTarget(store, storeName: storeNameThere)
          }
        try await copy(source, .file(made)) { try await send(made, to: into) }
      }
    } catch is CancellationError {
      throw Failure(Interruption.status, "The copy was interrupted. Nothing was made.")
    } catch {
      throw Failure(error)
    }
  }

  /// The name of the store to copy from a server; nil for a file.
  private var storeNameThere: String? { StoreAddress(store).isServer ? storeName : nil }

  /// - Parameter finish: moves the new file to its destination, before success is reported.
  private func copy(
    _ source: MigrationTarget, _ destination: StoreAddress,
    _ finish: () async throws -> Void = {}
  ) async throws {
    if try source.hasPlainTables() {
      if case .file(let url) = source, case .file(let other) = destination {
        let faults = try copyFile(url, to: other)
        try await finish()
        Message.answer("Copied \(store) into \(new).")
        return try report(faults)
      }
      return try await copyTables(of: source, into: destination, finish)
    }
    guard !dryRun else {
      throw Failure(
        .usage, "--dry-run shows what becomes of tables of other programs; \(store) is a store.")
    }
    let original = try source.original(store, model: try ofCoreData.read())
    let title = source.title(store, article: "the")
    let (summary, losses) =
      switch destination {
      case .file(let url): try await copy(original, into: url, title)
      case .far: trap("A file elsewhere is made here first.")
      case .server(let address, _):
        try await copy(
          original, into: address, named: newName ?? storeName ?? "datastore", title)
      }
    try original.datastore.close()
    try await finish()
    Message.answer(summary)
    Self.tell(losses, "the new store")
  }

  /// Copies the file in its state at one moment.
  ///
  /// - Returns: the faults of its pages, which the copy has, too.
  private func copyFile(_ url: URL, to other: URL) throws -> [String] {
    guard !dryRun else {
      throw Failure(.usage, "--dry-run shows statements; a file is copied into a file without any.")
    }
    try requireFree(other, new)
    let opened = try SQLiteStore(existing: url, isReadOnly: true)
    defer { try? opened.close() }
    let faults = try opened.structuralFaults()
    try opened.backUp(to: other)
    return faults
  }

  /// - Throws: `Failure` if there are any.
  private func report(_ faults: [String]) throws {
    guard let first = faults.first else { return }
    let more = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
    throw Failure(
      .skipped,
      "\(store) has faults, which the copy has, too: \(first.markingHarmful())\(more). "
        + "“datastore doctor” lists them and says what to do.")
  }

  private static func tell(_ losses: [String], _ place: String) {
    if !losses.isEmpty { Message.answer("Differences in \(place):") }
    for loss in losses { Message.answer("- \(loss.markingHarmful())") }
  }

  private func copyTables(
    of source: MigrationTarget, into destination: StoreAddress, _ finish: () async throws -> Void
  ) async throws {
    let copy = TableCopy(
      source: source, destination: destination, store: store, new: new,
      sourceSchema: storeNameThere, newSchema: newName ?? (source.isServer ? nil : storeName),
      isTrial: dryRun)
    let made = try await watched { try copy.run($0) }
    if !dryRun { try await finish() }
    copy.answer(made)
    Self.tell(made.losses, "the copy")
  }

  /// Builds the file under a temporary name; it gets its own name when it is complete.
  ///
  /// - Returns: a summary, and the differences of the copy.
  private func copy(
    _ original: Original, into url: URL, _ title: String
  ) async throws -> (summary: String, losses: [String]) {
    try requireFree(url, new)
    let building = try StoreUnderConstruction(at: url, like: original.file)
    do {
      let made = try SwiftDatastore(
        schema: original.schema, url: building.url, options: StoreUnderConstruction.options)
      let (count, losses) = try await copy(original, into: made)
      try made.close()
      try building.finish()
      return (Self.summary(count, from: title, into: new), losses)
    } catch {
      building.discard()
      throw error
    }
  }

  private func copy(
    _ original: Original, into address: String, named name: String, _ title: String
  ) async throws -> (summary: String, losses: [String]) {
    #if PostgreSQL
    guard try SwiftDatastore.schema(inPostgreSQL: address, storeName: name) == nil else {
      throw Failure(
        .cannotCreate,
        "The database has a store “\(name.shownInMessage)” already; give the new one another name with --as."
      )
    }
    let remove = try SwiftDatastore.makeStore(
      of: original.schema, inPostgreSQL: address, storeName: name)
    do {
      let destination = try SwiftDatastore(
        describedInPostgreSQL: address, storeName: name, readOnly: false)
      defer { try? destination.close() }
      let (count, losses) = try await copy(original, into: destination)
      let place = "the store “\(name.shownInMessage)”"
      return (Self.summary(count, from: title, into: place), losses)
    } catch {
      throw LeftoverError.removing("the store “\(name.shownInMessage)”", after: error) {
        try remove(true)
      }
    }
    #else
    throw StoreAddress.missing(address)
    #endif
  }

  private func copy(
    _ original: Original, into destination: SwiftDatastore
  ) async throws -> (count: Int, losses: [String]) {
    let (count, broken) = try await watched {
      try original.datastore.copyObjects(
        into: destination, leavingOutBroken: original.isCoreData, $0)
    }
    return (count, original.changes + broken)
  }

  /// Runs `body` and shows its progress in rows. Ctrl-C, SIGTERM and SIGHUP cancel it.
  private func watched<Result: Sendable>(
    _ body: @escaping @Sendable (_ show: @escaping @Sendable (Int, Int) -> Void) throws -> Result
  ) async throws -> Result {
    let display = MigrationDisplay(isTerminal: Message.isTerminal, isQuiet: quiet)
    let work = _Concurrency.Task {
      try body { done, total in
        display.show(
          MigrationProgress(phase: .copying, entity: nil, rowsDone: done, rowsTotal: total))
      }
    }
    let interruption = Interruption { work.cancel() }
    defer {
      interruption.end()
      display.finish()
    }
    return try await work.value
  }

  private static func summary(_ count: Int, from source: String, into place: String) -> String {
    "Copied \(CountText.counted(count, "object")) of \(source) into \(place)."
  }
}

/// The store to copy.
private struct Original {
  /// The store, opened read-only, with objects.
  let datastore: SwiftDatastore
  /// The schema of the new store.
  let schema: Schema
  /// Whether its rows may break the rules of their own model.
  var isCoreData = false
  /// The differences between the schema and the original.
  var changes: [String] = []
  /// nil for a store in a server.
  var file: URL?
}

extension MigrationTarget {
  /// - Throws: `StoreError`; `Failure` if nothing describes the entities, or the program was built without
  ///   PostgreSQL.
  fileprivate func original(_ store: String, model: CoreDataModel?) throws -> Original {
    switch self {
    case .file(let url):
      var options = SwiftDatastore.Options()
      options.coreDataModel = model
      let opened = try SQLiteStore(existing: url, coreDataModel: model, isReadOnly: true)
      let isCoreData = opened.isCoreData
      guard !isCoreData || opened.describesEntities else {
        throw Failure(
          .badData, "\(store) cannot be copied. \(opened.modelNotes.joined(separator: " "))")
      }
      let (fitting, changes) = try opened.schemaOfAllRows()
      // Closed before it is opened again, since a store removes only those files beside it that it created.
      try opened.close()
      let schema = isCoreData ? fitting : try schema(store)
      return Original(
        datastore: try SwiftDatastore(opening: url, readOnly: true, options: options),
        schema: schema, isCoreData: isCoreData,
        changes: isCoreData ? opened.modelNotes + opened.modelRemarks + changes : [], file: url)
    case .server(let address, let name):
      #if PostgreSQL
      let schema = try schema(store)
      return Original(
        datastore: try SwiftDatastore(
          describedInPostgreSQL: address, storeName: name, readOnly: true), schema: schema)
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }
}
