import DatastoreCore
import DatastoreImport

/// Rows of an answer on their way from the store that is asked to the file that they are copied into.
///
/// A thread of the one store puts pages in, one of the other takes them out.
final class DerivedTableStream: Sendable {
  /// The columns come before all pages.
  private enum Piece: Sendable {
    case columns([AnswerColumn])
    case page(RowPage)
  }

  private struct Reading {
    var isClosed = false
    /// Ends it.
    var cancel: (@Sendable () -> Void)?
  }

  /// 16 pages ahead at most.
  private let queue = BoundedQueue<Piece, Void>(most: 16)
  private let reading = Lock(Reading())

  /// Begins to read the answer to a statement.
  func read(_ sql: String, from store: any StoreEngine) {
    begin { queue in
      try await store.answer(
        SQLPagesQuestion(
          sql, begin: { _ = queue.put(.columns($0)) }, receive: { queue.put(.page($0)) }))
    }
  }

  /// Begins to compute rows of so many columns; of these no columns come before.
  func read(_ rows: @escaping DerivedRows.Rest, columns: Int) {
    begin { queue in
      try await rows { rows in
        // It waits while there are enough pages.
        await BlockingWork.run { queue.put(.page(DerivedRows.page(rows, columns: columns))) }
      }
    }
  }

  private func begin(
    _ work: @escaping @Sendable (BoundedQueue<Piece, Void>) async throws -> Void
  ) {
    let task = Task.detached { [queue] in
      do {
        try await work(queue)
        queue.end(.success(()))
      } catch {
        queue.end(.failure(error))
      }
    }
    let isClosed = reading.withLock { reading in
      reading.cancel = { task.cancel() }
      return reading.isClosed
    }
    if isClosed { task.cancel() }
  }

  /// The columns, which come before all rows. Waits.
  ///
  /// - Throws: why there are none.
  func columns() throws -> [AnswerColumn] {
    if case .piece(.columns(let columns)) = try queue.next() { return columns }
    throw CancellationError()
  }

  /// The next page; nil behind the last one. Waits. Must not be called again behind the last.
  ///
  /// - Throws: what reading has thrown, after all pages before.
  func next() throws -> RowPage? {
    if case .piece(.page(let page)) = try queue.next() { return page }
    return nil
  }

  /// Ends the reading: what has come can still be taken.
  func close() {
    let cancel = reading.withLock { reading in
      reading.isClosed = true
      return reading.cancel
    }
    queue.close()
    cancel?()
  }
}
