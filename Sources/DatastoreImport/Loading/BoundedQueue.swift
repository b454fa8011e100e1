import Basics
import DatastoreCore
import Dispatch

/// What one thread hands on to another, piece by piece, and how it ends.
///
/// The one that puts pieces in is some of them ahead at most, so that memory does not grow with what is read.
package final class BoundedQueue<Piece: Sendable, Ending: Sendable>: Sendable {
  /// What is taken out.
  package enum Next: Sendable {
    case piece(Piece)
    /// There is nothing behind it.
    case ending(Ending)
  }

  private struct Contents {
    var pieces: [Piece] = []
    var ending: Result<Ending, any Error>?
    var isClosed = false
  }

  private let contents = Lock(Contents())
  /// Counts the pieces that there is room for.
  private let room = DispatchSemaphore(value: 0)
  /// Counts what can be taken: pieces, and the ending.
  private let filled = DispatchSemaphore(value: 0)

  /// - Parameter most: how many pieces the one side may be ahead of the other.
  package init(most: Int) {
    // Not made with that value: it would have to be back at it in the end.
    for _ in 0..<most { room.signal() }
  }

  /// Puts a piece in; waits for room. False when no more is wanted.
  package func put(_ piece: Piece) -> Bool {
    room.wait()
    let isWanted = contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.pieces.append(piece)
      return true
    }
    // Other threads that wait for room learn of the end from this one.
    if isWanted { filled.signal() } else { room.signal() }
    return isWanted
  }

  /// Says how it has ended, behind all pieces. Once.
  package func end(_ ending: Result<Ending, any Error>) {
    contents.withLock { $0.ending = ending }
    filled.signal()
  }

  /// The next piece, or the ending behind the last one. Waits. Must not be called again behind the ending.
  ///
  /// - Throws: the error that it has ended with, after all pieces before.
  package func next() throws -> Next {
    filled.wait()
    let (piece, ending) = contents.withLock { contents in
      contents.pieces.isEmpty ? (nil, contents.ending) : (contents.pieces.removeFirst(), nil)
    }
    if let piece {
      room.signal()
      return .piece(piece)
    }
    guard let ending else { trap("a queue is asked again behind its end") }
    return .ending(try ending.get())
  }

  /// Takes nothing more in, and releases who waits for room. What has come can still be taken.
  package func close() {
    contents.withLock { $0.isClosed = true }
    room.signal()
  }
}
