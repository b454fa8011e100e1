import Dispatch

/// Work that waits for the store or a lock, for tasks.
///
/// Threads of tasks are as few as the machine has cores, and none is added while they wait: where all of
/// them wait for what another task is to give back, nothing goes on. What waits therefore gets a thread of
/// its own.
package enum BlockingWork {
  /// Does the work and returns when it is done. Cancelling the task does not end it.
  package static func run<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let outcome: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
      begin { () in
        do throws(Failure) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try outcome.get()
  }

  /// Begins the work and returns at once.
  package static func begin(_ work: @escaping @Sendable () -> Void) {
    // Of a global queue there are few threads, too; a serial one that has work always has one.
    DispatchQueue(label: "BlockingWork").async(execute: work)
  }
}
