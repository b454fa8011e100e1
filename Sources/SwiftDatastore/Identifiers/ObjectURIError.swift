/// The reason why an identifier has no URI, or a URI leads to no identifier.
@nonexhaustive
public enum ObjectURIError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The store of the identifier is no longer open.
  case closed(id: DatastoreObjectID)
  /// The row has no permanent key.
  case noKey(id: DatastoreObjectID)
  /// The store is in memory and holds the tables of another program.
  case noName
  /// The text is not the URI of an object.
  case malformed(uri: String)
  /// The URI belongs to an object in another store.
  case otherStore(uri: String, path: String?)
  /// No store of this name is open in this process.
  case notOpen(uri: String)
  /// The store has no entity of this name, perhaps because its model has changed.
  case unknownEntity(uri: String, known: [String])
  /// Rows of the entity now have keys of another kind.
  case otherKey(uri: String, entity: String)

  public var description: String {
    switch self {
    case .closed(let id):
      "\(id) has no URI: its datastore has been closed."
    case .noKey(let id):
      "\(id) has no URI: the row has no key that lasts. Save the object first, or give its table a primary key."
    case .noName:
      "Objects of this datastore have no URI: it is in memory, and was not made by this library."
    case .malformed(let uri):
      "“\(uri)” is not the URI of an object, which is x-datastore://<store>/<entity>/<key>."
    case .otherStore(let uri, let path):
      "“\(uri)” is of another store than \(path ?? "the one in memory")."
    case .notOpen(let uri):
      "The store of “\(uri)” is not open. Open its datastore first."
    case .unknownEntity(let uri, let known):
      "There is no entity for “\(uri)” in this store; it has \(known.sorted().joined(separator: ", "))."
    case .otherKey(let uri, let entity):
      "“\(uri)” does not fit the keys that rows of \(entity) have now."
    }
  }
}
