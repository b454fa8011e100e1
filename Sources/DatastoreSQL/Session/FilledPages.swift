public import DatastoreCore

/// The pages that the rows of an answer fill.
///
/// Inlinable, because the reader of an engine asks for the page of each row.
@usableFromInline
package struct FilledPages {
  /// The page being filled.
  @usableFromInline package internal(set) var page: RowPage
  private var full: [RowPage] = []
  private var counter: OccurrenceCounter?

  /// - Parameter rows: the number of rows that are likely to come, for which room is made.
  /// - Parameter counter: numbers rows that are their own key, if the rows have no other.
  package init(
    columnCount: Int, expecting rows: Int, counter: OccurrenceCounter? = nil
  ) {
    page = RowPage(columnCount: columnCount, rowCapacity: min(max(rows, 16), RowPage.fullCount))
    self.counter = counter
  }

  /// The number of full pages, those for `takeFull()`.
  package var fullCount: Int { full.count }

  /// The key of the last row of the last full page.
  package var lastKey: RowKey? { full.last.map { $0.key(ofRow: $0.rowCount - 1) } }

  /// The page for the next row.
  ///
  /// - Throws: `CancellationError`, checked once a page.
  @inlinable
  package mutating func next() throws -> RowPage {
    if page.isFull {
      try Task.checkCancellation()
      turn()
    }
    return page
  }

  /// The page for the next row, for rows that are already in memory.
  @inlinable
  package mutating func nextUnchecked() -> RowPage {
    if page.isFull { turn() }
    return page
  }

  /// Adds the page to the others, and starts another one.
  @usableFromInline
  package mutating func turn() {
    full.append(page)
    page = RowPage(sealing: page)
  }

  /// The key of a row, with equal ones numbered.
  package mutating func numbered(_ key: RowKey) throws -> RowKey { try counter?.key(key) ?? key }

  /// Takes the full pages, sealed; they are not among those of `finish()`.
  package mutating func takeFull() -> [RowPage] {
    defer { full = [] }
    return full
  }

  /// All pages, sealed.
  package mutating func finish() -> [RowPage] {
    if page.rowCount > 0 {
      page.seal()
      full.append(page)
    }
    return full
  }
}
