/// The cells of a row as their file spells them, column by column, for writers of another file: numbers keep
/// their digits, and dates their zone.
@frozen
@usableFromInline package struct RowTexts: Sendable {
  /// The form of a text in its file.
  @frozen
  @usableFromInline package enum Form: Sendable {
    /// Unknown: the cell is written by its value.
    case value
    /// Without quotes, and possibly empty: for no value, for example.
    case bare
    /// In quotes.
    case quoted
    /// A JSON string.
    case text
    /// JSON other than a string: a number, a list, an object.
    case literal
  }

  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var cells: [(form: Form, end: Int)] = []
  /// The index of the first cell of the current row.
  @usableFromInline var first = 0

  /// Creates an empty row.
  package init() {}

  /// Begins another row in the memory of the row before.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }

  /// Adds a column.
  @inlinable
  package mutating func append(_ form: Form, _ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    cells.append((form, bytes.count))
  }

  /// Adds a column.
  package mutating func append(_ form: Form, _ text: some Sequence<UInt8> = []) {
    bytes.append(contentsOf: text)
    cells.append((form, bytes.count))
  }

  /// Returns one of several rows that have this number of columns each.
  @inlinable
  package func row(_ number: Int, ofColumns count: Int) -> RowTexts {
    var row = self
    row.first = number * count
    return row
  }

  /// The form of a column in the file; `value` for a column that was not added.
  @inlinable
  package func form(of column: Int) -> Form {
    first + column < cells.count ? cells[first + column].form : .value
  }

  /// Calls the closure with the text of a column that was added.
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
