import Dispatch

/// Where the tasks of a far end run.
///
/// Not on the threads that all tasks of the process share: where both ends are in one process, those may all
/// wait for the far end.
final class FarExecutor: TaskExecutor {
  static let shared = FarExecutor()

  private let queue = DispatchQueue(label: "FarExecutor", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
