import DatastoreCore
import Dispatch

/// Rows of an answer on their way from the store that is asked to the file that they are copied into.
///
/// A thread of the one store puts pages in, one of the other takes them out. The reader is some pages ahead at most,
/// so that memory does not grow with the answer.
final class AnswerStream: Sendable {
  /// Pages that the reader may be ahead.
  private static let mostPages = 16

  private struct Contents {
    var columns: [AnswerColumn]?
    var pages: [RowPage] = []
    var ending: Result<Void, any Error>?
    var isClosed = false
    /// Ends the reading.
    var cancel: (@Sendable () -> Void)?
  }

  private let contents = Lock(Contents())
  /// Counts the pages that there is room for.
  private let room = DispatchSemaphore(value: 0)
  /// Counts what can be taken: columns, pages, and the ending.
  private let filled = DispatchSemaphore(value: 0)

  init() {
    // Not made with that value: it would have to be back at it in the end.
    for _ in 0..<Self.mostPages { room.signal() }
  }

  /// Begins to read the answer to a statement.
  func read(_ sql: String, from store: any StoreEngine) {
    let reading = Task.detached { [self] in
      do {
        try await store.answer(
          SQLPagesQuestion(sql, begin: { self.begin($0) }, receive: { self.put($0) }))
        end(.success(()))
      } catch {
        end(.failure(error))
      }
    }
    let isClosed = contents.withLock { contents in
      contents.cancel = { reading.cancel() }
      return contents.isClosed
    }
    if isClosed { reading.cancel() }
  }

  /// Hands on rows that were read already.
  func read(_ columns: [AnswerColumn], _ pages: [RowPage]) {
    BlockingWork.begin { [self] in
      begin(columns)
      _ = pages.allSatisfy { put($0) }
      end(.success(()))
    }
  }

  private func begin(_ columns: [AnswerColumn]) {
    contents.withLock { $0.columns = columns }
    filled.signal()
  }

  /// Puts a page in; waits for room. False when no more is wanted.
  private func put(_ page: RowPage) -> Bool {
    room.wait()
    let isWanted = contents.withLock { contents in
      guard !contents.isClosed else { return false }
      contents.pages.append(page)
      return true
    }
    if isWanted { filled.signal() }
    return isWanted
  }

  private func end(_ ending: Result<Void, any Error>) {
    contents.withLock { $0.ending = ending }
    filled.signal()
  }

  /// The columns, which come before all rows. Waits.
  ///
  /// - Throws: why there are none.
  func columns() throws -> [AnswerColumn] {
    filled.wait()
    let (columns, ending) = contents.withLock { ($0.columns, $0.ending) }
    if let columns { return columns }
    try ending?.get()
    throw CancellationError()
  }

  /// The next page; nil behind the last one. Waits. Must not be called again behind the last.
  ///
  /// - Throws: what reading has thrown, after all pages before.
  func next() throws -> RowPage? {
    filled.wait()
    let (page, ending) = contents.withLock { contents in
      contents.pages.isEmpty ? (nil, contents.ending) : (contents.pages.removeFirst(), nil)
    }
    guard let page else {
      try ending?.get()
      return nil
    }
    room.signal()
    return page
  }

  /// Ends the reading: what has come can still be taken.
  func close() {
    let cancel = contents.withLock { contents in
      contents.isClosed = true
      return contents.cancel
    }
    room.signal()
    cancel?()
  }
}
