/// What the cells of one row are in the file that the row was read from, column by column, for those who write the
/// row into another file: a number keeps its digits, a date its zone.
package struct RowTexts: Sendable {
  /// How a text stands in its file.
  package enum Form: Sendable {
    /// It is not known: the cell is written by its value.
    case value
    /// Without quotes, and perhaps empty: for no value, say.
    case bare
    /// In quotes.
    case quoted
    /// As a string of JSON.
    case text
    /// As JSON that is no string: a number, a list, an object.
    case literal
  }

  private var bytes: [UInt8] = []
  private var cells: [(form: Form, end: Int)] = []

  /// No columns.
  package init() {}

  /// Begins another row. What it needs of memory is that of the row before.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
  }

  /// Adds the next column.
  package mutating func append(_ form: Form, _ text: some Sequence<UInt8> = []) {
    bytes.append(contentsOf: text)
    cells.append((form, bytes.count))
  }

  /// How a column stands in the file; `value` for those that were not added.
  package func form(of column: Int) -> Form {
    column < cells.count ? cells[column].form : .value
  }

  /// The text of a column that was added.
  package func withBytes<Result>(
    of column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = column == 0 ? 0 : cells[column - 1].end
    return try bytes.withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<cells[column].end]))
    }
  }
}
