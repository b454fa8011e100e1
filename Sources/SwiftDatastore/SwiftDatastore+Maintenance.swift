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

  /// Reads the whole file and lists what is wrong with it, in words; empty when all is well.
  ///
  /// O(file): seconds for large files.
  /// - Throws: `StoreError` when it cannot be read at all.
  public func integrityFaults() throws -> [String] {
    try coordinator.store.integrityFaults()
  }

  /// Checkpoints the write-ahead log: moves what it holds into the file. Happens by itself from time to
  /// time, and when the datastore is closed.
  ///
  /// - Returns: whether all of it was moved; not while someone reads an older state.
  @discardableResult
  public func checkpoint() throws -> Bool {
    try coordinator.store.checkpoint()
  }

  /// Checks whether another process has written the file since the last time; if so, all contexts and
  /// controllers read again what they show. Staged changes stay staged.
  ///
  /// Cheap enough to be called several times a second.
  /// - Returns: whether there was something new.
  @discardableResult
  public func checkForExternalChanges() throws -> Bool {
    try coordinator.checkForExternalChanges()
  }

  /// Calls `checkForExternalChanges()` again and again, off the main actor, until the token is
  /// released or cancelled.
  ///
  /// - Parameters:
  ///   - seconds: the time between two checks.
  ///   - failed: called on a background queue when a check fails; checking continues.
  public func watchForExternalChanges(
    every seconds: Double = 0.5, failed: (@Sendable (any Error) -> Void)? = nil
  ) -> ExternalChangeWatch {
    ExternalChangeWatch(coordinator, every: seconds, failed: failed)
  }
}

/// Checks for changes by other processes for as long as it is kept.
///
/// Unchecked: the timer is set up before anyone else knows it, and may be cancelled from any thread.
public final class ExternalChangeWatch: @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  init(
    _ coordinator: StoreCoordinator, every seconds: Double,
    failed: (@Sendable (any Error) -> Void)?
  ) {
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + seconds, repeating: seconds)
    timer.setEventHandler { [weak coordinator] in
      do {
        _ = try coordinator?.checkForExternalChanges()
      } catch {
        failed?(error)
      }
    }
    self.timer = timer
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Ends it. Does nothing the second time.
  public func cancel() { timer.cancel() }
}
