import DatastoreCore
import Dispatch
public import Foundation

/// Looking after the file of a datastore. Any thread; every call waits until it is done.
extension SwiftDatastore {
  /// Copies the store as it is now into a new file, while it is in use. Unsaved changes are not in it.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file, or another `StoreError`.
  public func backUp(to url: URL) throws {
    try coordinator.store.backUp(to: url)
  }

  /// Reads the whole file and lists its faults, in words; empty when all is well.
  ///
  /// O(file): seconds for large files.
  /// - Throws: `StoreError` when it cannot be read at all.
  public func integrityFaults() throws -> [String] {
    try coordinator.store.integrityFaults()
  }

  /// Checkpoints the write-ahead log: moves its content into the file. Happens by itself from time to
  /// time, and when the datastore is closed. Waits for those who write or read, for some seconds at most.
  ///
  /// With a SQLite that has the WAL-reset bug (<https://sqlite.org/wal.html#walresetbug>), no connection can
  /// write meanwhile, and the log keeps its size and is used again.
  ///
  /// - Returns: whether all of it was moved; not while someone reads an older state.
  @discardableResult
  public func checkpoint() throws -> Bool {
    try coordinator.store.checkpoint()
  }

  /// Checks whether another process has written the store since the last time; if so, all contexts and
  /// controllers take that in. Staged changes stay staged.
  ///
  /// A store in a server reports which objects were changed, and only those are read again; a file does not,
  /// and what is shown is read again. Cheap enough to be called several times a second.
  /// - Returns: whether there was something new.
  @discardableResult
  public func checkForExternalChanges() throws -> Bool {
    try coordinator.checkForExternalChanges() != .nothing
  }

  /// Calls `checkForExternalChanges()` again and again, off the main actor, until the token is
  /// released or cancelled.
  ///
  /// A store in a server is listened to, too: what other programs save with this library is taken in within
  /// milliseconds, and `seconds` counts for what others write only. After a lost connection nothing is
  /// missed. Takes a connection to the server for as long as the token is kept.
  ///
  /// - Parameters:
  ///   - seconds: the time between two checks.
  ///   - failed: called on a background queue when a check fails; checking continues.
  public func watchForExternalChanges(
    every seconds: Double = 0.5, failed: (@Sendable (any Error) -> Void)? = nil
  ) -> ExternalChangeWatch {
    ExternalChangeWatch(coordinator, every: seconds, failed: failed)
  }

  /// Logs that something has failed whose result no caller waits for.
  package func reportFailure(_ operation: DatastoreEvent.Operation, _ error: any Error) {
    coordinator.log(.error, .failed(operation, error))
  }

  /// Listens to others who write the store.
  ///
  /// - Parameter told: called on a background queue when a check may find something.
  /// - Returns: what listens, until it is released; nil for files.
  package func listenForExternalChanges(
    _ told: @escaping @Sendable () -> Void
  ) -> (any Sendable & AnyObject)? {
    coordinator.store.listen(told)
  }
}

/// Checks for changes by other processes for as long as it is kept.
public final class ExternalChangeWatch: Sendable {
  private let repetition: Repetition
  private let listener: Lock<(any Sendable & AnyObject)?>

  init(
    _ coordinator: StoreCoordinator, every seconds: Double,
    failed: (@Sendable (any Error) -> Void)?
  ) {
    let check: @Sendable () -> Void = { [weak coordinator] in
      Self.check(coordinator, failed: failed)
    }
    listener = Lock(coordinator.store.listen(check))
    repetition = Repetition(every: seconds, check)
  }

  /// Checks once more when rows were found that others have changed: lists wait until there was nothing new
  /// before they take what they have compared with those rows to be in its place.
  private static func check(
    _ coordinator: StoreCoordinator?, isAgain: Bool = false,
    failed: (@Sendable (any Error) -> Void)?
  ) {
    do {
      guard try coordinator?.checkForExternalChanges() == .rows, !isAgain else { return }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 0.02) {
        [weak coordinator] in
        check(coordinator, isAgain: true, failed: failed)
      }
    } catch {
      failed?(error)
    }
  }

  /// Ends it. Does nothing the second time.
  public func cancel() {
    repetition.cancel()
    listener.withLock { $0 = nil }
  }
}
