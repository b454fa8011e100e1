import DatastoreCore
import Foundation

/// The stores that are open in this process, by the store identity in identifiers of their objects.
///
/// An identifier does not keep its store open, so it looks up its store here to make a URI.
enum OpenStores {
  private struct Entry: Sendable {
    weak let store: (any StoreEngine)?
  }

  /// In the order in which they were opened.
  private static let entries = Lock<[Entry]>([])

  static func add(_ store: any StoreEngine) {
    entries.withLock { $0.append(Entry(store: store)) }
  }

  static func remove(_ store: any StoreEngine) {
    entries.withLock { $0.removeAll { $0.store == nil || $0.store === store } }
  }

  static func store(_ identity: ObjectIdentifier) -> (any StoreEngine)? {
    entries.withLock { $0 }.lazy.compactMap(\.store).first { $0.identity == identity }
  }

  /// The stores with a name, the one that was opened first at the start.
  static func stores(named name: StoreName) -> [any StoreEngine] {
    entries.withLock { $0 }.compactMap(\.store).filter { store in
      store.parts.contains { (try? StoreName(of: $0)) == name }
    }
  }
}

/// The name of a store in URIs.
enum StoreName: Hashable, Sendable {
  /// The UUID of a native file, which copies of the file share.
  case uuid(String)
  /// The path of a third-party file, which has no UUID.
  case path(String)

  /// - Throws: `StoreError` when the store cannot be read; `ObjectURIError.noName` for a third-party store in
  ///   memory.
  init(of store: any StoreEngine) throws {
    if let uuid = try store.storeUUID() {
      self = .uuid(uuid)
    } else if let url = store.url {
      self = .path(url.resolvingSymlinksInPath().standardizedFileURL.path)
    } else {
      throw ObjectURIError.noName
    }
  }
}
