import DatastoreCore
import Dispatch
public import Foundation

/// Maintaining the file of a datastore. Any thread; every call waits until it is done.
extension SwiftDatastore {
  /// Copies the current state of the store into a new file, while it is in use. The copy has no unsaved
  /// changes.
  ///
  /// - Throws: `StoreError.fileExists` rather than replacing a file, or another `StoreError`.
  public func backUp(to url: URL) throws {
    try coordinator.store.backUp(to: url)
  }

  /// Reads the whole file and describes its faults; empty if it has none.
  ///
  /// O(file): seconds for large files.
  /// - Throws: `StoreError` when it cannot be read at all.
  public func integrityFaults() throws -> [String] {
    try coordinator.store.integrityFaults()
  }

  /// Checkpoints the write-ahead log: moves its content into the file. SQLite does this from time to time,
  /// and when the datastore is closed. Waits for readers and writers, for some seconds at most.
  ///
  /// With a SQLite that has the WAL-reset bug (<https://sqlite.org/wal.html#walresetbug>), no connection can
  /// write meanwhile, and the log keeps its size and is used again.
  ///
  /// - Returns: whether the whole log was moved; false while someone reads an older state.
  @discardableResult
  public func checkpoint() throws -> Bool {
    try coordinator.store.checkpoint()
  }

  /// Checks whether another process has written the store since the last check; if so, all contexts and
  /// controllers apply its changes. Staged changes stay staged.
  ///
  /// A server reports which objects were changed, and only those are read again; a file does not, so
  /// everything shown is read again. Cheap enough for several calls a second.
  /// - Returns: whether there were changes.
  @discardableResult
  public func checkForExternalChanges() throws -> Bool {
    try coordinator.checkForExternalChanges() != .nothing
  }

  /// Calls `checkForExternalChanges()` again and again, off the main actor, until the token is
  /// released or cancelled.
  ///
  /// For a store in a server, it also listens: changes that other programs save with this library arrive
  /// within milliseconds, and `seconds` matters only for other writers. No change is missed when the
  /// connection was lost. Uses a connection to the server for as long as the token is kept.
  ///
  /// - Parameters:
  ///   - seconds: the time between two checks.
  ///   - failed: called on a background queue when a check fails; checking continues.
  public func watchForExternalChanges(
    every seconds: Double = 0.5, failed: (@Sendable (any Error) -> Void)? = nil
  ) -> ExternalChangeWatch {
    ExternalChangeWatch(coordinator, every: seconds, failed: failed)
  }

  /// Logs the failure of an operation whose result no caller waits for.
  package func reportFailure(_ operation: DatastoreEvent.Operation, _ error: any Error) {
    coordinator.log(.error, .failed(operation, error))
  }

  /// Listens for changes by other writers of the store.
  ///
  /// - Parameter told: called on a background queue when a check may find something.
  /// - Returns: the listener, which listens until it is released; nil for files.
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

  /// Checks once more after it has found rows that others changed: lists compare with these rows, and rely on
  /// the comparison only once a check has found nothing newer.
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

  /// Ends the checks. Does nothing the second time.
  public func cancel() {
    repetition.cancel()
    listener.withLock { $0 = nil }
  }
}
