import DatastoreCore
import Foundation

/// Watches whether the other end of a line answers.
///
/// A line can fall silent without ending: the network is gone, or the host sleeps. Long work at the far end
/// causes no silence, since its reading thread answers `FarFrame.Kind.alive`.
final class FarPulse: Sendable {
  private struct State {
    /// The number of half seconds in which a call waited and nothing arrived.
    var silence = 0
    var written = 0
    var told: (@Sendable (_ isAnswering: Bool) -> Void)?
  }

  /// The half seconds of silence after which the line counts as stalled.
  private static let stalling = 2
  /// The half seconds of silence after which the line ends: 30 seconds.
  private static let ending = 60

  private let state = Lock(State())
  /// The number of bytes that the line has accepted.
  private let written: Lock<Int>

  init(written: Lock<Int>) {
    self.written = written
  }

  /// Sets the closure to run whenever the other end stops answering, or answers again.
  ///
  /// `told` runs on the thread that reads the line, and must not wait for an answer.
  func onChange(_ told: (@Sendable (_ isAnswering: Bool) -> Void)?) {
    state.withLock { $0.told = told }
  }

  /// Whether calls on the main thread must stop waiting: the line is silent, and the observer there shows
  /// that.
  var endsWaitingOnMain: Bool {
    state.withLock { $0.silence >= Self.stalling && $0.told != nil }
  }

  /// Records that something has arrived.
  func heard() {
    let told = state.withLock { state in
      defer { state.silence = 0 }
      return state.silence >= Self.stalling ? state.told : nil
    }
    told?(true)
  }

  /// Records that nothing has arrived for half a second.
  ///
  /// - Parameters:
  ///   - isAwaited: whether a call waits for an answer.
  ///   - isWriting: whether a message is being written now.
  /// - Returns: whether to ask the other end for a sign of life now.
  /// - Throws: `FarLineFault` if nothing has arrived for 30 seconds.
  func waited(isAwaited: Bool, isWriting: Bool) throws -> Bool {
    let written = written.withLock { $0 }
    // A long message that the line still takes is a sign of life. A short one only fills its buffer.
    let isMoving = state.withLock { state in
      defer { state.written = written }
      return isWriting && written > state.written
    }
    if isMoving { heard() }
    guard isAwaited, !isMoving else { return false }
    let (silence, told) = state.withLock { state in
      state.silence += 1
      return (state.silence, state.told)
    }
    if silence == Self.stalling { told?(false) }
    if silence >= Self.ending { throw FarLineFault("nothing has come from there for 30 seconds") }
    return silence == 1
  }
}
