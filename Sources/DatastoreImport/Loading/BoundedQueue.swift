import Basics
import DatastoreCore
import Dispatch

/// A queue that passes pieces from one thread to another, followed by an ending.
///
/// The producer is only a few pieces ahead, so that memory does not grow with the input.
package final class BoundedQueue<Piece: Sendable, Ending: Sendable>: Sendable {
  /// The next element of the queue.
  package enum Next: Sendable {
    case piece(Piece)
    /// The ending; nothing follows it.
    case ending(Ending)
  }

  private struct Contents {
    var pieces: [Piece] = []
    var ending: Result<Ending, any Error>?
    var isClosed = false
  }

  private let contents = Lock(Contents())
  /// Counts the free places.
  private let room = DispatchSemaphore(value: 0)
  /// Counts the available elements: pieces, and the ending.
  private let filled = DispatchSemaphore(value: 0)

  /// - Parameter most: how many pieces the producer may be ahead of the consumer.
  package init(most: Int) {
    // Not initialised with that value: a semaphore must have it again when it is destroyed.
    for _ in 0..<most { room.signal() }
  }

  /// Adds a piece; waits for room. False when no more is wanted.
  package func put(_ piece: Piece) -> Bool {
    room.wait()
    let isWanted = contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.pieces.append(piece)
      return true
    }
    // Wakes other threads that wait for room, so that they see the end, too.
    if isWanted { filled.signal() } else { room.signal() }
    return isWanted
  }

  /// Sets the ending, after all pieces. Call once.
  package func end(_ ending: Result<Ending, any Error>) {
    contents.withLock { $0.ending = ending }
    filled.signal()
  }

  /// The next piece, or the ending after the last one. Waits. Must not be called again after the ending.
  ///
  /// - Throws: the error of the ending, after all pieces before it.
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

  /// Accepts no more pieces, and releases producers that wait for room. Pieces in the queue can still be
  /// taken.
  package func close() {
    contents.withLock { $0.isClosed = true }
    room.signal()
  }
}
