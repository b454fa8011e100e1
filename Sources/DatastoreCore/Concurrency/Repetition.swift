package import Dispatch

/// Calls a closure again and again, until it is cancelled or released.
///
/// Unchecked: the timer is set up before anyone else knows it, and may be cancelled from any thread.
package final class Repetition: @unchecked Sendable {
  private let timer: any DispatchSourceTimer

  /// Begins.
  ///
  /// - Parameters:
  ///   - seconds: the time between two calls, and before the first one.
  ///   - leeway: how late a call may be.
  ///   - queue: the queue that runs the closure.
  package init(
    every seconds: Double, leeway: DispatchTimeInterval = .nanoseconds(0),
    on queue: DispatchQueue = .global(qos: .utility), _ body: @escaping @Sendable () -> Void
  ) {
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + seconds, repeating: seconds, leeway: leeway)
    timer.setEventHandler(handler: body)
    timer.activate()
  }

  deinit { timer.cancel() }

  /// Ends the calls; one that runs goes on. Does nothing the second time.
  package func cancel() { timer.cancel() }
}
