/// What the cells of rows are in the file that the rows were read from, column by column, for those who write
/// them into another file: a number keeps its digits, a date its zone.
@frozen
@usableFromInline package struct RowTexts: Sendable {
  /// The form of a text in its file.
  @frozen
  @usableFromInline package enum Form: Sendable {
    /// It is not known: the cell is written by its value.
    case value
    /// Without quotes, and perhaps empty: for no value, say.
    case bare
    /// In quotes.
    case quoted
    /// As a string of JSON.
    case text
    /// As JSON other than a string: a number, a list, an object.
    case literal
  }

  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var cells: [(form: Form, end: Int)] = []
  /// The first cell of the row at hand.
  @usableFromInline var first = 0

  /// No columns.
  package init() {}

  /// Begins another row. What it needs of memory is that of the row before.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }

  /// Adds the next column.
  @inlinable
  package mutating func append(_ form: Form, _ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    cells.append((form, bytes.count))
  }

  /// Adds the next column.
  package mutating func append(_ form: Form, _ text: some Sequence<UInt8> = []) {
    bytes.append(contentsOf: text)
    cells.append((form, bytes.count))
  }

  /// A row of several that have so many columns each.
  @inlinable
  package func row(_ number: Int, ofColumns count: Int) -> RowTexts {
    var row = self
    row.first = number * count
    return row
  }

  /// The form of a column in the file; `value` for those that were not added.
  @inlinable
  package func form(of column: Int) -> Form {
    first + column < cells.count ? cells[first + column].form : .value
  }

  /// The text of a column that was added.
  @inlinable
  package func withBytes<Result>(
    of column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let cell = first + column
    let start = cell == 0 ? 0 : cells[cell - 1].end
    return try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<cells[cell].end]))
    }
  }
}
