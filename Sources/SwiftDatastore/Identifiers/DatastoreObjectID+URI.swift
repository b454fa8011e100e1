public import DatastoreCore
public import Foundation

/// Identifiers outside of the process: in settings, files and messages.
extension DatastoreObjectID {
  /// The name of the row that outlives the process, `x-datastore://<store>/<entity>/<key>`, which
  /// `objectID(forURIRepresentation:)` reads.
  ///
  /// A native file is named by its UUID, so the name holds wherever the file is moved, and leads into a copy of it as
  /// well. A third-party file has none, and is named by its path. Any thread.
  ///
  /// - Throws: `ObjectURIError` when the store has been closed, for an object of a third-party file that was never saved and has
  ///   no key yet, and for rows without a key that lasts; `StoreError` when the store cannot be read.
  public var uriRepresentation: URL {
    get throws {
      guard let store = OpenStores.store(self.store) else { throw ObjectURIError.closed(id: self) }
      let key: ObjectURI.Key
      if store.information(about: store.schema.entities[entity]).hasRowids {
        guard !store.mayMoveRows(entity: entity) else { throw ObjectURIError.noKey(id: self) }
        key = .number(self.key.rawValue)
      } else {
        guard let values = store.keyValues(entity: entity, key: self.key), !values.contains(.null)
        else { throw ObjectURIError.noKey(id: self) }
        key = .values(values)
      }
      let text = try ObjectURI(store: StoreName(of: store), entity: entityName, key: key).text
      guard let url = URL(string: text) else {
        preconditionFailure("“\(text)” is escaped and must be a URL")
      }
      return url
    }
  }

  /// - Throws: `ObjectURIError`.
  init(_ uri: ObjectURI, in store: any StoreEngine) throws {
    guard let entity = store.schema.entity(named: uri.entity) else {
      throw ObjectURIError.unknownEntity(uri: uri.text, known: store.schema.entities.map(\.name))
    }
    let hasRowids = store.information(about: entity).hasRowids
    let found: RowKey? =
      switch uri.key {
      case .number(let number): hasRowids ? RowKey(number) : nil
      case .values(let values):
        hasRowids || values.contains(.null) ? nil : store.key(entity: entity.index, values: values)
      }
    guard let found else { throw ObjectURIError.otherKey(uri: uri.text, entity: entity.name) }
    self.init(store: store.identity, entity: entity, key: found)
  }
}

/// The text of `uriRepresentation`.
///
/// Encoding throws where that does. Decoding finds the store among those that are open in the process, or in
/// `userInfo[.datastore]` of the decoder, which says of several datastores on one file which is meant.
extension DatastoreObjectID: Codable {
  /// Writes the text of `uriRepresentation`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(try uriRepresentation.absoluteString)
  }

  /// Reads the text of `uriRepresentation`.
  ///
  /// - Throws: `ObjectURIError`.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let uri = ObjectURI(text) else { throw ObjectURIError.malformed(uri: text) }
    if let datastore = decoder.userInfo[.datastore] as? SwiftDatastore {
      self = try datastore.objectID(of: uri)
      return
    }
    guard let store = OpenStores.stores(named: uri.store).first else {
      throw ObjectURIError.notOpen(uri: text)
    }
    try self.init(uri, in: store)
  }
}

extension CodingUserInfoKey {
  /// The `SwiftDatastore` that identifiers are decoded for.
  public static let datastore: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "SwiftDatastore") else {
      preconditionFailure("every text is a key")
    }
    return key
  }()
}

extension SwiftDatastore {
  /// The identifier that a name stands for. Reads no row: `object(with:)` says whether it is there.
  ///
  /// - Parameter uri: what `uriRepresentation` of an identifier has given, in this process or another one.
  /// - Throws: `ObjectURIError` for anything else, for another store, for an entity that there is not, and for a key of
  ///   another kind than the entity has now; `StoreError` when the store cannot be read.
  public func objectID(forURIRepresentation uri: URL) throws -> DatastoreObjectID {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    return try objectID(of: read)
  }

  func objectID(of uri: ObjectURI) throws -> DatastoreObjectID {
    let name = try StoreName(of: coordinator.store)
    guard name == uri.store else {
      throw ObjectURIError.otherStore(uri: uri.text, path: url?.path)
    }
    return try DatastoreObjectID(uri, in: coordinator.store)
  }
}

extension ObjectContext {
  /// This context's object for a name that `uriRepresentation` of its identifier has given, in this process or
  /// another one.
  ///
  /// - Throws: `ObjectURIError` like `objectID(forURIRepresentation:)`; `ObjectNotFoundError` when the row is gone, or is of
  ///   another class; `StoreError` when the store cannot be read.
  public func object<T: DatastoreObject>(forURIRepresentation uri: URL) throws -> T {
    guard let read = ObjectURI(uri.absoluteString) else {
      throw ObjectURIError.malformed(uri: uri.absoluteString)
    }
    let store = core.coordinator.store
    guard try StoreName(of: store) == read.store else {
      throw ObjectURIError.otherStore(uri: read.text, path: store.url?.path)
    }
    return try object(with: DatastoreObjectID(read, in: store))
  }
}

extension DatastoreObject {
  /// Whether the object was never saved, so that its identifier leads to no row yet. In third-party files whose keys are texts or
  /// several columns it gets its key when it is saved.
  public final var hasTemporaryID: Bool {
    requireAccess()
    return isInserted
  }
}
