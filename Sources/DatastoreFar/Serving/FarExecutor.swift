import Dispatch

/// Runs the tasks of a far end.
///
/// They do not use the cooperative threads of the process: if both ends are in one process, all of those may
/// be waiting for the far end.
final class FarExecutor: TaskExecutor {
  static let shared = FarExecutor()

  private let queue = DispatchQueue(label: "FarExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
