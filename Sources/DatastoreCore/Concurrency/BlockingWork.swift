import Dispatch

/// Work of tasks that waits for the store or a lock.
///
/// Tasks have only as many threads as the machine has cores, and none is added while they wait: if all of
/// them wait for something that another task should release, nothing proceeds. So waiting work gets a thread
/// of its own.
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

  /// Starts the work and returns at once.
  package static func begin(_ work: @escaping @Sendable () -> Void) {
    // Global queues have few threads, too; a serial queue with work always has one.
    DispatchQueue(label: "BlockingWork").async(execute: work)
  }
}
