import Basics
import DatastoreCore
public import Foundation

/// Identifiers outside of the process: in settings, files and messages.
extension DatastoreObjectID {
  /// The URI of the row, which is valid beyond the process: `x-datastore://<store>/<entity>/<key>`.
  /// `objectID(forURIRepresentation:)` reads it.
  ///
  /// A native file is named by its UUID, so the URI stays valid when the file is moved, and in copies of it.
  /// A third-party file has no UUID, and is named by its path. Any thread.
  ///
  /// - Throws: `ObjectURIError` when the store has been closed, for an object of a third-party file that was
  ///   never saved and has no key yet, and for rows without a permanent key; `StoreError` when the store
  ///   cannot be read.
  public var uriRepresentation: URL {
    get throws {
      guard let owner = OpenStores.store(self.store) else { throw ObjectURIError.closed(id: self) }
      let (store, own) = try owner.place(of: entity, key: self.key)
      let key: ObjectURI.Key
      if store.information(about: store.schema.entities[entity]).hasRowids {
        guard !store.mayMoveRows(entity: entity) else { throw ObjectURIError.noKey(id: self) }
        key = .number(own.rawValue)
      } else {
        guard let values = store.keyValues(entity: entity, key: own), !values.contains(.null)
        else { throw ObjectURIError.noKey(id: self) }
        key = .values(values)
      }
      let text = try ObjectURI(store: StoreName(of: store), entity: entityName, key: key).text
      guard let url = URL(string: text) else {
        trap("“\(text)” is escaped and must be a URL")
      }
      return url
    }
  }

  /// The identifier of a URI in its store.
  ///
  /// - Throws: `ObjectURIError`, also if the URI belongs to another store.
  init(_ uri: ObjectURI, of store: any StoreEngine) throws {
    guard try store.parts.contains(where: { try StoreName(of: $0) == uri.store }) else {
      throw ObjectURIError.otherStore(uri: uri.text, path: store.url?.path)
    }
    try self.init(uri, in: store)
  }

  /// - Throws: `ObjectURIError`.
  private init(_ uri: ObjectURI, in store: any StoreEngine) throws {
    guard let entity = store.schema.entity(named: uri.entity) else {
      throw ObjectURIError.unknownEntity(uri: uri.text, known: store.schema.entities.map(\.name))
    }
    guard
      let place = try store.places(of: entity.index).first(where: {
        try StoreName(of: $0.store) == uri.store
      })
    else { throw ObjectURIError.otherStore(uri: uri.text, path: store.url?.path) }
    let hasRowids = place.store.information(about: entity).hasRowids
    let found: RowKey? =
      switch uri.key {
      case .number(let number): hasRowids ? RowKey(number) : nil
      case .values(let values):
        hasRowids || values.contains(.null)
          ? nil : place.store.key(entity: entity.index, values: values)
      }
    guard let found else { throw ObjectURIError.otherKey(uri: uri.text, entity: entity.name) }
    self.init(store: store.identity, entity: entity, key: place.shared(found))
  }
}

/// The text of `uriRepresentation`.
///
/// Encoding throws when `uriRepresentation` throws. Decoding looks for the store among the stores that are
/// open in the process, or uses `userInfo[.datastore]` of the decoder, which chooses between several
/// datastores on one file.
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
    if let owner = decoder.userInfo[.datastore] as? any StoreOwner {
      try self.init(uri, of: owner.engine)
      return
    }
    guard let store = OpenStores.stores(named: uri.store).first else {
      throw ObjectURIError.notOpen(uri: text)
    }
    try self.init(uri, in: store)
  }
}

/// An owner of the store that identifiers are decoded for: a datastore.
protocol StoreOwner {
  var engine: any StoreEngine { get }
}

extension CodingUserInfoKey {
  /// The `SwiftDatastore` that identifiers are decoded for.
  public static let datastore: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "SwiftDatastore") else {
      trap("every text is a key")
    }
    return key
  }()
}

extension DatastoreObject {
  /// Whether the object was never saved, so that its identifier leads to no row yet. In third-party files
  /// whose keys are texts or several columns, it gets its key when it is saved.
  public final var hasTemporaryID: Bool {
    requireAccess()
    return isInserted
  }
}
