import DatastoreCore
import Dispatch
import SwiftDatastore

/// What of an answer to SQL has been read and is not shown yet.
///
/// A queue of the store puts pages in, the main actor takes them out. The reader waits when it is some pages
/// ahead, so that keys meet an answer that is still being read, however busy the machine is.
final class AnswerInbox: Sendable {
  /// Pages that the reader may be ahead.
  static let mostPages = 16

  private struct Contents {
    var columns: [AnswerColumn]?
    var pages: [RowPage] = []
    /// Of everything that was read so far.
    var rows = 0
    var bytes = 0
    var isClosed = false
  }

  private let contents = Lock(Contents())
  /// Counts the pages that there is room for.
  private let room: DispatchSemaphore
  private let arrived: @Sendable () -> Void

  /// - Parameter arrived: called on the reader's queue when something is there.
  init(arrived: @escaping @Sendable () -> Void) {
    self.arrived = arrived
    // Not made with that value: it would have to be back at it in the end.
    room = DispatchSemaphore(value: 0)
    for _ in 0..<Self.mostPages { room.signal() }
  }

  /// Whether no more is kept.
  var isFull: Bool { contents.withLock { Self.isFull($0) } }

  private static func isFull(_ contents: Contents) -> Bool {
    contents.rows >= SQLResult.mostRows || contents.bytes >= SQLResult.mostBytes
  }

  func begin(_ columns: [AnswerColumn]) {
    contents.withLock { $0.columns = columns }
    arrived()
  }

  /// Puts a page in; waits for room. False when no more is wanted.
  func receive(_ page: RowPage) -> Bool {
    room.wait()
    let isWanted = contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.pages.append(page)
      contents.rows += page.rowCount
      contents.bytes += page.byteCount
      return !Self.isFull(contents)
    }
    arrived()
    return isWanted
  }

  /// Removes and returns everything that has come since the last time.
  func drain() -> (columns: [AnswerColumn]?, pages: [RowPage]) {
    let (columns, pages) = contents.withLock { contents in
      defer { (contents.columns, contents.pages) = (nil, []) }
      return (contents.columns, contents.pages)
    }
    for _ in pages { room.signal() }
    return (columns, pages)
  }

  /// Receives nothing any more, and releases a reader that waits.
  func close() {
    contents.withLock { $0.isClosed = true }
    room.signal()
  }
}
