import DatastoreCore
import Foundation

/// Whether the other end of a line answers.
///
/// A line can fall silent without ending: a network that is gone, a host that sleeps. Long work there is no
/// silence, since the far end answers `FarFrame.Kind.alive` on the thread that reads.
final class FarPulse: Sendable {
  private struct State {
    /// Half seconds in which somebody waited and nothing came.
    var silence = 0
    var written = 0
    var told: (@Sendable (_ isAnswering: Bool) -> Void)?
  }

  /// Half seconds of silence after which the line is said to stall.
  private static let stalling = 2
  /// Half seconds of silence after which the line is given up: 30 seconds.
  private static let ending = 60

  private let state = Lock(State())
  /// Bytes that the line has taken.
  private let written: Lock<Int>

  init(written: Lock<Int>) {
    self.written = written
  }

  /// Has something done whenever the other end stops answering, or answers again.
  ///
  /// `told` runs on the thread that reads the line, and must not wait for an answer.
  func onChange(_ told: (@Sendable (_ isAnswering: Bool) -> Void)?) {
    state.withLock { $0.told = told }
  }

  /// Whether nobody may be kept waiting on the main thread: the line is silent, and that is shown there.
  var endsWaitingOnMain: Bool {
    state.withLock { $0.silence >= Self.stalling && $0.told != nil }
  }

  /// Notes that something has come.
  func heard() {
    let told = state.withLock { state in
      defer { state.silence = 0 }
      return state.silence >= Self.stalling ? state.told : nil
    }
    told?(true)
  }

  /// Notes that nothing has come for half a second.
  ///
  /// - Parameter isAwaited: whether a call waits for something.
  /// - Returns: whether the other end is to be asked now.
  /// - Throws: `FarLineFault` when nothing has come for 30 seconds.
  func waited(isAwaited: Bool) throws -> Bool {
    let written = written.withLock { $0 }
    let (silence, told) = state.withLock { state in
      // A long message that is being taken is a sign of life. The question whether there is any is not.
      let isMoving = written - state.written > 64
      state.written = written
      if isAwaited { state.silence += 1 }
      return (isMoving ? nil : isAwaited ? state.silence : 0, state.told)
    }
    guard let silence else {
      heard()
      return false
    }
    if silence == Self.stalling { told?(false) }
    if silence >= Self.ending { throw FarLineFault("nothing has come from there for 30 seconds") }
    return silence == 1
  }
}
