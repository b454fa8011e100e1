import ArgumentParser
import DatastoreBrowser
import DatastoreCore
import DatastoreExport
import DatastoreFar
import DatastoreImport
import Foundation
import SwiftDatastore
import SwiftDatastoreFar

#if PostgreSQL
import SwiftDatastorePostgreSQL
#endif

/// The place of a store: a file, here or at the other end of a line, or a database in a server.
enum StoreAddress {
  case file(URL)
  /// A file on another machine or in a container.
  case far(FarFile)
  /// A PostgreSQL database, as a connection string of libpq, which may contain a password and is never shown.
  /// With a name, the native store of that name; without one, all tables of the database.
  case server(String, storeName: String?)

  /// `postgresql://…`, `postgres://…` and `service=…` are servers, `ssh://…` is a file elsewhere; everything
  /// else is the path of a file, including a malformed `ssh://…`.
  init(_ text: String) {
    let isServer = ["postgresql://", "postgres://", "service="].contains { text.hasPrefix($0) }
    if isServer {
      self = .server(text, storeName: nil)
    } else if let far = try? FarAddress(text) {
      self = .far(FarFile(far))
    } else {
      self = .file(URL(fileURLWithPath: text))
    }
  }

  /// The same, with the name of a store in a server.
  ///
  /// - Throws: `Failure` for a file with a store name.
  init(_ text: String, storeName: String?) throws {
    self.init(text)
    guard let storeName else { return }
    guard case .server = self else {
      throw Failure(.usage, "--store-name names a store in a server; a file has one store.")
    }
    self = .server(text, storeName: storeName)
  }

  var isServer: Bool {
    if case .server = self { true } else { false }
  }

  /// The file; nil for a server, and for a file elsewhere.
  var url: URL? {
    if case .file(let url) = self { return url }
    return nil
  }

  /// The copy that is shown if the file itself cannot be opened; the file must have been opened.
  var copy: FarCopy? {
    if case .far(let file) = self { return file.copy }
    return nil
  }

  /// Removes the copy of a file from this machine.
  func leave() {
    if case .far(let file) = self { file.leave() }
  }

  /// The place that rows are loaded into: a file, the tables of a database, or a native store in one.
  /// Connects to a server, so obstacles are known before any file is read.
  ///
  /// - Throws: `Failure`, `StoreError`.
  func destination() throws -> LoadDestination {
    switch self {
    case .file(let url): return LoadDestination(url)
    case .far(let file):
      return LoadDestination(
        named: file.name,
        store: { readOnly in
          try file.open(isWriting: true) {
            try SwiftDatastore.store(showing: $0, readOnly: readOnly)
          } here: {
            try SwiftDatastore.store(opening: $0, readOnly: readOnly)
          }
        },
        datastore: { try datastore(readOnly: $0, options: $1) })
    case .server(let address, let storeName):
      #if PostgreSQL
      let place = try SwiftDatastore.place(ofPostgreSQL: address)
      guard let storeName else {
        return LoadDestination(
          named: place, store: { try SwiftDatastore.store(showing: address, readOnly: $0) },
          datastore: { try datastore(readOnly: $0, options: $1) })
      }
      return destination(storeName, in: address)
      #else
      throw Self.missing(address)
      #endif
    }
  }

  #if PostgreSQL
  private func destination(_ name: String, in address: String) -> LoadDestination {
    LoadDestination(
      named: "the store “\(name.shownInMessage)”",
      store: { try Self.store(name, in: address, readOnly: $0) },
      datastore: { try datastore(readOnly: $0, options: $1) },
      making: StoreMaking(
        isNeeded: { try SwiftDatastore.schema(inPostgreSQL: address, storeName: name) == nil },
        make: { content in
          let schema =
            switch content {
            case .model(let model): model.schema
            case .schema(let schema): schema
            }
          let remove = try SwiftDatastore.makeStore(
            of: schema, inPostgreSQL: address, storeName: name)
          return { try remove(false) }
        }))
  }
  #endif

  /// Opens the store with objects.
  ///
  /// - Parameter readOnly: whether saving is refused.
  /// - Throws: `StoreError`; `Failure` for a server if the program was built without PostgreSQL.
  func datastore(readOnly: Bool, options: SwiftDatastore.Options) throws -> SwiftDatastore {
    switch self {
    case .file(let url):
      return try SwiftDatastore(opening: url, readOnly: readOnly, options: options)
    case .far(let file):
      return try file.open(isWriting: !readOnly) {
        try SwiftDatastore(showing: $0, readOnly: readOnly, options: options)
      } here: {
        try SwiftDatastore(opening: $0, readOnly: true, options: options)
      }
    case .server(let address, let storeName):
      #if PostgreSQL
      guard let storeName else {
        return try SwiftDatastore(showing: address, readOnly: readOnly, options: options)
      }
      return try SwiftDatastore(
        describedInPostgreSQL: address, storeName: storeName, readOnly: readOnly, options: options)
      #else
      throw Self.missing(address)
      #endif
    }
  }

  /// The subject of settings kept for this store, as far as the address identifies it; nil for a server,
  /// which identifies its database itself.
  var keptSubject: KeptSubject? {
    switch self {
    case .file(let url): KeptSubject(store: url)
    case .far(let address): KeptSubject(KeptServer(identity: address.name))
    case .server: nil
    }
  }

  /// The subject of settings kept for a database in a server or a file elsewhere; nil for a file.
  func keptServer(of datastore: SwiftDatastore) -> KeptServer? {
    if let identity = datastore.farIdentity {
      return KeptServer(identity: identity)
    }
    #if PostgreSQL
    guard case .server = self, let identity = datastore.serverIdentity else { return nil }
    return KeptServer(identity: identity)
    #else
    return nil
    #endif
  }

  /// Opens the store for reading, without objects.
  ///
  /// - Throws: as `datastore(readOnly:options:)`.
  func store(options: SwiftDatastore.Options) throws -> any StoreEngine {
    switch self {
    case .file(let url):
      return try SwiftDatastore.store(opening: url, readOnly: true, options: options)
    case .far(let file):
      return try file.open(isWriting: false) {
        try SwiftDatastore.store(showing: $0, options: options)
      } here: {
        try SwiftDatastore.store(opening: $0, readOnly: true, options: options)
      }
    case .server(let address, let storeName):
      #if PostgreSQL
      return try storeName.map { try Self.store($0, in: address, readOnly: true) }
        ?? SwiftDatastore.store(showing: address)
      #else
      throw Self.missing(address)
      #endif
    }
  }

  #if PostgreSQL
  /// - Throws: `StoreError`; `Failure` if there is no store of that name.
  private static func store(
    _ name: String, in address: String, readOnly: Bool
  ) throws -> any StoreEngine {
    guard
      let store = try SwiftDatastore.store(
        inPostgreSQL: address, storeName: name, readOnly: readOnly)
    else { throw missingStore(name) }
    return store
  }
  #endif

  static func missingStore(_ name: String) -> Failure {
    Failure(
      .badData,
      "The database has no store “\(name)” of SwiftDatastore; name another schema with --store-name."
    )
  }

  #if !PostgreSQL
  static func missing(_ address: String) -> Failure {
    Failure(
      .usage,
      "This program was built without PostgreSQL. Install libpq-dev, and build it with "
        + "“swift build --traits PostgreSQL”.")
  }
  #endif
}
