package import DatastoreCore
package import DatastoreFar
import DatastoreSQLite
package import Foundation
import SwiftDatastore

/// A store at the other end of a line of this process: both ends are the real ones, and so is what goes
/// between them.
package struct FarPair {
  package let store: FarStore
  package let relay: Relay
  /// Whether another line can be begun.
  package let isReachable = Lock(true)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - connects: whether another line is begun when the first one has ended.
  ///   - before: is told of the line before anything goes over it.
  ///   - opening: opens the store at the far end.
  package init(
    _ options: FarOptions = FarOptions(), connects: Bool = false,
    before: @escaping @Sendable (Relay) -> Void = { _ in },
    opening: @escaping @Sendable (FarOptions) throws -> any StoreEngine
  ) throws {
    let (ended, isReachable) = (ended, isReachable)
    let relays = Lock<[Relay]>([])
    let connect: @Sendable () throws -> FarLine = {
      guard isReachable.withLock({ $0 }) else {
        throw StoreError.unreachable(server: "the other end", detail: "it is switched off")
      }
      let relay = try Relay()
      let isFirst = relays.withLock { relays in
        relays.append(relay)
        return relays.count == 1
      }
      if isFirst { before(relay) }
      // Each end closes its own files.
      let far = (relay.there, dup(relay.there))
      let server = FarServer(reading: far.0, writing: far.1, opening)
      Thread.detachNewThread {
        try? server.run()
        ended.signal()
        shutdown(far.0, Int32(SHUT_RDWR))
        close(far.0)
      }
      return FarLine(reading: relay.here, writing: dup(relay.here), named: "the other end")
    }
    let line = try connect()
    relay = relays.withLock { $0[0] }
    store = try FarStore(line, options, connecting: connects ? connect : nil)
  }

  /// Waits until the far end has closed the store.
  package func waitForTheFarEnd() {
    ended.wait()
    ended.signal()
  }

  /// A native file of a schema, opened at the far end.
  package init(
    of schema: Schema, at url: URL, connects: Bool = false,
    before: @escaping @Sendable (Relay) -> Void = { _ in }
  ) throws {
    var options = FarOptions()
    options.isReadOnly = false
    options.model = FarModel(schema)
    try self.init(options, connects: connects, before: before) { options in
      guard let model = options.model else { throw StoreError.notNative(path: url.path) }
      return try SQLiteStore(try model.schema, at: url)
    }
  }

  /// A native file of a schema that only this pair knows, and that is removed with the far end.
  package init(ofNew schema: Schema) throws {
    let directory = try TemporaryDirectory()
    var options = FarOptions()
    options.isReadOnly = false
    options.model = FarModel(schema)
    try self.init(options) { options in
      try SQLiteStore(options.model?.schema ?? schema, at: directory.file("new.sqlite"))
    }
  }

  /// A file as it is, opened at the far end.
  package init(
    opening url: URL, readOnly: Bool = false, before: @escaping @Sendable (Relay) -> Void = { _ in }
  ) throws {
    var options = FarOptions()
    options.isReadOnly = readOnly
    try self.init(opening: url, options, before: before)
  }

  /// A file as it is, opened at the far end as the program does it there.
  package init(
    opening url: URL, _ options: FarOptions, before: @escaping @Sendable (Relay) -> Void = { _ in }
  ) throws {
    try self.init(options, before: before) { wanted in
      var options = SwiftDatastore.Options()
      options.showsJoinTables = wanted.showsJoinTables
      options.annotations = wanted.annotations
      return try SwiftDatastore.store(
        opening: url, readOnly: wanted.isReadOnly, options: options)
    }
  }
}
