import Foundation

/// An order for merging rows that several stores have each read in that order.
///
/// Rows that are equal in it are ordered by their keys, and keys of an earlier store are less than those of a
/// later one. So the store of a row decides ties, and keys need not be compared.
struct RowOrder: Sendable {
  /// One key of the order, and the column of the pages with its values.
  struct Term: Sendable {
    enum Kind: Sendable {
      /// The content of the cells.
      case cells(options: Predicate.StringOptions, isDecimal: Bool)
      /// Keys of a store: NULL, then those that lead nowhere, then others by their stores.
      case keys
      /// The row's own key, which is in no column.
      case row
    }

    let column: Int
    let kind: Kind
    let isAscending: Bool
  }

  let terms: [Term]

  /// A row of one of the stores, with the index of its store.
  struct Place {
    let part: Int
    let page: RowPage
    let row: Int
  }

  /// Whether the second row comes before the first, given that the first is of an earlier store.
  func isReversed(_ left: Place, _ right: Place) -> Bool {
    for term in terms {
      let ordering = compare(left, right, by: term)
      if ordering == .same { continue }
      return (ordering == .descending) == term.isAscending
    }
    return left.part > right.part
  }

  private func compare(_ left: Place, _ right: Place, by term: Term) -> Value.Ordering {
    switch term.kind {
    case .row: return order(left.part, right.part)
    case .keys:
      let ordering = order(
        keyClass(left.page, left.row, term.column), keyClass(right.page, right.row, term.column))
      if ordering != .same || left.page.tag(row: left.row, column: term.column) == .null {
        return ordering
      }
      return order(left.part, right.part)
    case .cells([], false):
      return RowPage.compareCells(
        left.page, left.row, right.page, right.row, column: term.column)
    case .cells(let options, let isDecimal):
      func value(_ place: Place) -> Value {
        let value = place.page.value(row: place.row, column: term.column)
        if isDecimal { return value.decimalNumber }
        guard !options.isEmpty, case .text(let text) = value else { return value }
        return .text(TextFolding.fold(text, options))
      }
      return Value.compare(value(left), value(right))
    }
  }

  private func keyClass(_ page: RowPage, _ row: Int, _ column: Int) -> Int {
    guard page.tag(row: row, column: column) == .integer else { return 0 }
    return DanglingKey.isOne(RowKey(page.integer(row: row, column: column))) ? 1 : 2
  }

  private func order(_ left: Int, _ right: Int) -> Value.Ordering {
    left < right ? .ascending : left == right ? .same : .descending
  }
}

extension RowPage {
  /// The order of two cells of one column by their values.
  static func compareCells(
    _ left: RowPage, _ leftRow: Int, _ right: RowPage, _ rightRow: Int, column: Int
  ) -> Value.Ordering {
    switch (left.tag(row: leftRow, column: column), right.tag(row: rightRow, column: column)) {
    case (.integer, .integer):
      let (a, b) = (
        left.integer(row: leftRow, column: column), right.integer(row: rightRow, column: column)
      )
      return a < b ? .ascending : a == b ? .same : .descending
    case (.real, .real):
      let (a, b) = (
        left.real(row: leftRow, column: column), right.real(row: rightRow, column: column)
      )
      return a < b ? .ascending : a == b ? .same : .descending
    case (.text, .text), (.blob, .blob):
      let a = left.bytes(row: leftRow, column: column)
      let b = right.bytes(row: rightRow, column: column)
      let shared = min(a.count, b.count)
      if shared > 0, let first = a.baseAddress, let second = b.baseAddress {
        let difference = memcmp(first, second, shared)
        if difference != 0 { return difference < 0 ? .ascending : .descending }
      }
      return a.count < b.count ? .ascending : a.count == b.count ? .same : .descending
    default:
      return Value.compare(
        left.value(row: leftRow, column: column), right.value(row: rightRow, column: column))
    }
  }
}

/// Merges rows of several stores into one order.
struct RowMerge {
  private struct Stream {
    let part: Int
    let pages: [RowPage]
    var page = 0
    var row = 0

    var place: RowOrder.Place? {
      page < pages.count ? RowOrder.Place(part: part, page: pages[page], row: row) : nil
    }

    mutating func advance() {
      row += 1
      if row == pages[page].rowCount { (page, row) = (page + 1, 0) }
    }
  }

  /// Passes on the rows in their order.
  ///
  /// O(rows × stores).
  ///
  /// - Parameters:
  ///   - parts: the rows of each store in that order.
  ///   - order: nil for rows without an order: those of each store together.
  ///   - offset: the number of rows to skip.
  ///   - limit: the greatest number of rows; nil for all.
  static func run(
    _ parts: [[RowPage]], by order: RowOrder?, offset: Int, limit: Int?,
    _ receive: (RowOrder.Place) throws -> Void
  ) rethrows {
    var streams = parts.enumerated().map { part, pages in
      Stream(part: part, pages: pages.filter { $0.rowCount > 0 })
    }
    var places = streams.map(\.place)
    var (skipped, handed) = (0, 0)
    while limit.map({ handed < $0 }) ?? true {
      var least: RowOrder.Place?
      for case let place? in places {
        guard let known = least else {
          least = place
          continue
        }
        if let order, order.isReversed(known, place) { least = place }
      }
      guard let least else { return }
      if skipped < offset {
        skipped += 1
      } else {
        handed += 1
        try receive(least)
      }
      streams[least.part].advance()
      places[least.part] = streams[least.part].place
    }
  }
}
