import DatastoreCore
import Dispatch

/// A serial queue that contexts live on: that of one context, or that of the transactions of a datastore,
/// each of which has its own context there.
final class ContextQueue: GraphExecutor {
  let queue: DispatchQueue
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(label: String) {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Whether the current code runs on the queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
