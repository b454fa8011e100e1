import ArgumentParser
import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import SwiftDatastore

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// `datastore copy`: all objects of a store into a new one, in a file or in a server.
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a store into a new one: a file into a server, or a server into a file.",
    discussion: """
      STORE and the new one are files, or postgresql://user@host/database: then --store-name says which store of \
      the database, that is, which schema, and --as what the new one is called where that is another name. Both \
      are stores of SwiftDatastore; no model is needed, since a store says what it has. STORE may also be a Core Data \
      store with its model: the new one has its entities, attributes and relationships, and can be changed.

      One state of the store is copied, while others go on saving. Objects keep their keys. A file that is copied \
      from a server is a backup that opens without one. Where it fails, or is ended by Ctrl-C, there is no new store.

        datastore copy company.sqlite --into backup.sqlite
        datastore copy company.sqlite --into postgresql://me@host/work --as company
      """)

  @Argument(
    help: "The store, made by SwiftDatastore or Core Data: a file, or a postgresql:// address.",
    completion: .file())
  var store: String

  @Option(
    name: .customLong("into"),
    help: ArgumentHelp("A new file, or a postgresql:// address.", valueName: "new"),
    completion: .file())
  var new: String

  @Option(
    help: ArgumentHelp(
      "The store in the database of a server: a schema, by default “datastore”.",
      valueName: "name"))
  var storeName: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "What the new store is called in its server, where that is another name.",
      valueName: "name"))
  var newName: String?

  func validate() throws {
    if storeName != nil, StoreAddress(store).url != nil, StoreAddress(new).url != nil {
      throw ValidationError("--store-name is about stores in a server; a file has one store.")
    }
    if newName != nil, StoreAddress(new).url != nil {
      throw ValidationError("--as is about stores in a server; the name of the file says it.")
    }
  }

  func run() async throws {
    do {
      let isInServer = StoreAddress(store).url == nil
      let source = try MigrationTarget(store, storeName: isInServer ? storeName : nil)
      let schema = try source.schema(store, isRead: true)
      let opened = try source.opened()
      defer { try? opened.close() }
      let title = source.title(store, article: "the")
      switch StoreAddress(new) {
      case .file(let url): try await copy(opened, of: schema, into: url, title)
      case .server(let address, _):
        try await copy(
          opened, of: schema, into: address, named: newName ?? storeName ?? "datastore", title)
      }
    } catch is CancellationError {
      throw Failure(.interrupted, "The copy was interrupted. Nothing was made.")
    } catch {
      throw Failure(error)
    }
  }

  /// The file has its name when everything is in it.
  private func copy(
    _ source: SwiftDatastore, of schema: Schema, into url: URL, _ title: String
  ) async throws {
    guard !FileManager.default.fileExists(atPath: url.path) else {
      throw Failure(.cannotCreate, "\(new) is there already; a copy is made into a new file.")
    }
    let building = try StoreUnderConstruction(at: url)
    do {
      let made = try SwiftDatastore(schema: schema, url: building.url)
      let count = try await Self.copy(source, into: made)
      try made.close()
      try building.finish()
      Message.answer(Self.summary(count, from: title, into: new))
    } catch {
      building.discard()
      throw error
    }
  }

  private func copy(
    _ source: SwiftDatastore, of schema: Schema, into address: String, named name: String,
    _ title: String
  ) async throws {
    #if PostgreSQL
    guard try SwiftDatastore.schema(inPostgreSQL: address, storeName: name) == nil else {
      throw Failure(
        .cannotCreate,
        "The database has a store “\(name.shownInMessage)” already; give the new one another name with --as."
      )
    }
    let remove = try SwiftDatastore.makeStore(of: schema, inPostgreSQL: address, storeName: name)
    do {
      let destination = try SwiftDatastore(
        describedInPostgreSQL: address, storeName: name, readOnly: false)
      defer { try? destination.close() }
      let count = try await Self.copy(source, into: destination)
      Message.answer(
        Self.summary(count, from: title, into: "the store “\(name.shownInMessage)”"))
    } catch {
      // The first error is the one to report.
      try? remove(true)
      throw error
    }
    #else
    throw StoreAddress.missing(address)
    #endif
  }

  /// Ctrl-C and a polite end cancel it.
  private static func copy(
    _ source: SwiftDatastore, into destination: SwiftDatastore
  ) async throws -> Int {
    let work = _Concurrency.Task { try source.copyObjects(into: destination) }
    let interruption = Interruption { work.cancel() }
    defer { interruption.end() }
    return try await work.value
  }

  private static func summary(_ count: Int, from source: String, into place: String) -> String {
    "Copied \(CountText.counted(count, "object")) of \(source) into \(place)."
  }
}

extension MigrationTarget {
  /// For reading, with objects.
  ///
  /// - Throws: `StoreError`; `Failure` where the program was built without PostgreSQL.
  fileprivate func opened() throws -> SwiftDatastore {
    switch self {
    case .file(let url): return try SwiftDatastore(opening: url, readOnly: true)
    case .server(let address, let name):
      #if PostgreSQL
      return try SwiftDatastore(
        describedInPostgreSQL: address, storeName: name, readOnly: true)
      #else
      throw StoreAddress.missing(address)
      #endif
    }
  }
}
