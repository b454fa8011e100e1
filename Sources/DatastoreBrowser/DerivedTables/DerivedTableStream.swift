import DatastoreCore
import DatastoreImport

/// Rows on their way from a store to the file that they are copied into.
///
/// A thread of the one store adds pages, a thread of the other removes them.
final class DerivedTableStream: Sendable {
  /// The columns come before all pages.
  private enum Piece: Sendable {
    case columns([AnswerColumn])
    case page(RowPage)
  }

  private struct Reading {
    var isClosed = false
    var cancel: (@Sendable () -> Void)?
  }

  /// Reads at most 16 pages ahead.
  private let queue = BoundedQueue<Piece, Void>(most: 16)
  private let reading = Lock(Reading())

  /// Starts to read the answer to an SQL statement.
  func read(_ sql: String, from store: any StoreEngine) {
    begin { queue in
      try await store.answer(
        SQLPagesQuestion(
          sql, begin: { _ = queue.put(.columns($0)) }, receive: { queue.put(.page($0)) }))
    }
  }

  /// Starts to compute rows with this many columns; no columns come before them.
  func read(_ rows: @escaping DerivedRows.Rest, columns: Int) {
    begin { queue in
      try await rows { rows in
        // Blocks while the queue is full.
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

  /// Returns the columns, which come before all rows. Blocks.
  ///
  /// - Throws: the error of the query.
  func columns() throws -> [AnswerColumn] {
    if case .piece(.columns(let columns)) = try queue.next() { return columns }
    throw CancellationError()
  }

  /// Returns the next page; nil after the last one. Blocks. Must not be called again after nil.
  ///
  /// - Throws: the error of the reading, after all pages before it.
  func next() throws -> RowPage? {
    if case .piece(.page(let page)) = try queue.next() { return page }
    return nil
  }

  /// Stops the reading; pages already read can still be taken.
  func close() {
    let cancel = reading.withLock { reading in
      reading.isClosed = true
      return reading.cancel
    }
    queue.close()
    cancel?()
  }
}
