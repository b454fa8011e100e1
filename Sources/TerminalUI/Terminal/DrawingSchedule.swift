/// When an application draws: once for everything that happens in a turn of the main queue. It also knows who
/// waits until nothing is under way.
@MainActor
package final class DrawingSchedule {
  private let isWorking: @MainActor () -> Bool
  private let drawPicture: @MainActor () -> Void
  private var isScheduled = false
  /// Whether something has happened since the screen was drawn.
  private var isNeeded = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - isWorking: whether something is under way that may change the screen without input; when that ends,
  ///     `workEnded()` is to be called.
  ///   - draw: draws the screen.
  package init(
    isWorking: @escaping @MainActor () -> Bool, draw: @escaping @MainActor () -> Void
  ) {
    self.isWorking = isWorking
    drawPicture = draw
  }

  /// Draws when this turn of the main queue ends, unless `drawIfNeeded()` comes first.
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

  /// Draws now what was asked for: when all keys that have come are taken.
  package func drawIfNeeded() {
    if isNeeded { draw() }
  }

  /// Draws now.
  package func draw() {
    isNeeded = false
    drawPicture()
  }

  private var isBusy: Bool { isScheduled || isWorking() }

  /// Wakes those who wait, if nothing is under way any more.
  package func workEnded() {
    guard !isBusy else { return }
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when nothing is under way any more, and all is drawn.
  ///
  /// - Parameter settle: waits for what may begin something: called again after whatever it has begun.
  package func idle(_ settle: @MainActor () async -> Void) async {
    repeat {
      await settle()
      if isBusy { await withCheckedContinuation { waiters.append($0) } }
    } while isBusy
  }
}
