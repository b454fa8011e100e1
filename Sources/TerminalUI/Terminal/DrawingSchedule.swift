/// Schedules the drawing of an application: once for all changes in a turn of the main queue. It also resumes
/// the tasks that wait until the application is idle.
@MainActor
package final class DrawingSchedule {
  private let isWorking: @MainActor () -> Bool
  private let drawPicture: @MainActor () -> Void
  private var isScheduled = false
  /// Whether something has changed since the screen was drawn.
  private var isNeeded = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - isWorking: whether work runs that may change the screen without input; call `workEnded()` when it
  ///     ends.
  ///   - draw: draws the screen.
  package init(
    isWorking: @escaping @MainActor () -> Bool, draw: @escaping @MainActor () -> Void
  ) {
    self.isWorking = isWorking
    drawPicture = draw
  }

  /// Requests a drawing at the end of this turn of the main queue, unless `drawIfNeeded()` comes first.
  package func request() {
    isNeeded = true
    guard !isScheduled else { return }
    isScheduled = true
    Task { @MainActor in
      isScheduled = false
      drawIfNeeded()
      workEnded()
    }
  }

  /// Performs a requested drawing now. Called when all waiting keys have been handled.
  package func drawIfNeeded() {
    if isNeeded { draw() }
  }

  /// Draws now.
  package func draw() {
    isNeeded = false
    drawPicture()
  }

  private var isBusy: Bool { isScheduled || isWorking() }

  /// Resumes the waiting tasks if the application is idle.
  package func workEnded() {
    guard !isBusy else { return }
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when the application is idle and everything is drawn.
  ///
  /// - Parameter settle: waits for anything that may start work; called again after the work it has started.
  package func idle(_ settle: @MainActor () async -> Void) async {
    repeat {
      await settle()
      if isBusy { await withCheckedContinuation { waiters.append($0) } }
    } while isBusy
  }
}
