import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation

/// A store at the other end of a line of this process: both ends are the real ones, and so is what goes
/// between them.
struct FarPair {
  let store: FarStore
  let relay: Relay
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - connects: whether another line is begun when the first one has ended.
  ///   - before: is told of the line before anything goes over it.
  ///   - opening: opens the store at the far end.
  init(
    _ options: FarOptions = FarOptions(), connects: Bool = false,
    before: @escaping @Sendable (Relay) -> Void = { _ in },
    opening: @escaping @Sendable (FarOptions) throws -> any StoreEngine
  ) throws {
    let ended = ended
    let relays = Lock<[Relay]>([])
    let connect: @Sendable () throws -> FarLine = {
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
      return try FarLine(reading: relay.here, writing: dup(relay.here), named: "the other end")
    }
    let line = try connect()
    relay = relays.withLock { $0[0] }
    store = try FarStore(line, options, connecting: connects ? connect : nil)
  }

  /// Waits until the far end has closed the store.
  func waitForTheFarEnd() {
    ended.wait()
    ended.signal()
  }

  /// A native file of a schema, opened at the far end.
  init(
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

  /// A file as it is, opened at the far end.
  init(
    opening url: URL, readOnly: Bool = false, before: @escaping @Sendable (Relay) -> Void = { _ in }
  ) throws {
    var options = FarOptions()
    options.isReadOnly = readOnly
    try self.init(options, before: before) { options in
      try SQLiteStore(existing: url, isReadOnly: options.isReadOnly)
    }
  }
}
