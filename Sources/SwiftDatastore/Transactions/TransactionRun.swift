import DatastoreCore

/// The execution of a transaction.
struct TransactionRun {
  let coordinator: StoreCoordinator
  /// The queue on which the transactions of the datastore run, one after the other.
  let queue: ContextQueue
  /// How often a block runs again after a conflict.
  let retries: Int
  /// Waits before the block runs again.
  let pause: @Sendable (Duration) -> Void
  /// Whether to give up the transaction.
  let isStopped: (@Sendable () -> Bool)?

  /// Runs the block in a new context and saves. If someone else has changed the same properties, starts again
  /// after a pause. On the queue of transactions.
  ///
  /// A block that has already written by itself, by `saveChanges()` or a batch operation, does not run again:
  /// it would write that twice.
  func callAsFunction<Result>(
    _ block: (SwiftDatastoreContext.Closure) throws -> Result
  ) throws -> Result {
    var repetitions = 0
    var random = SystemRandomNumberGenerator()
    while true {
      if isStopped?() ?? false { throw CancellationError() }
      let context = SwiftDatastoreContext(coordinator: coordinator, on: queue)
      let core = context.closure.core
      core.isStopped = isStopped
      do {
        let result = try block(context.closure)
        try context.closure.saveChanges()
        return result
      } catch let error as ConflictError where repetitions < retries && !core.hasWritten {
        repetitions += 1
        coordinator.log(.warning, .retried(attempt: repetitions, error))
        pause(ConflictPause.drawn(before: repetitions, &random))
      }
    }
  }
}

/// The pause before a transaction runs again after a conflict.
///
/// Two programs that write one row without a break would collide again and again if they waited equally long.
/// So each pause is drawn at random from a range that doubles, up to a limit.
enum ConflictPause {
  /// The longest pause before the first repetition.
  private static let first = Duration.milliseconds(1)
  /// The longest pause of all.
  private static let limit = Duration.milliseconds(64)

  /// The longest pause before a repetition.
  ///
  /// - Parameter repetition: counted from 1.
  static func longest(before repetition: Int) -> Duration {
    min(first * (1 << min(max(repetition - 1, 0), 16)), limit)
  }

  /// The pause before a repetition: at least half of the longest one.
  static func drawn(
    before repetition: Int, _ random: inout some RandomNumberGenerator
  ) -> Duration {
    longest(before: repetition) * Double.random(in: 0.5...1, using: &random)
  }
}
