import Basics
import Foundation

/// Filling a page, by the one thread that made it and before `seal()`.
///
/// Inlinable, because the reader of an engine calls several of these for each row, and a call would cost more
/// than its work.
extension RowPage {
  /// The number of rows of a full page: enough to fill a few pages of memory, and no more, because one kept
  /// object keeps its whole page.
  @inlinable
  package static var fullCount: Int { 256 }

  /// Whether the page should be sealed and the next row start a new one.
  @inlinable
  package var isFull: Bool { rowCount >= Self.fullCount || buffers.heapCount >= 1 << 22 }

  /// The number of bytes of text and blobs so far.
  @inlinable
  package var heapCount: Int { buffers.heapCount }

  /// Out of line, so that a row costs one comparison.
  @usableFromInline
  static func refuseGrowth() -> Never { trap("a sealed row page cannot grow") }

  /// Starts the next row with every cell NULL. Returns its number.
  @discardableResult
  @inlinable
  package func appendRow(key: RowKey) -> Int {
    if isSealed { Self.refuseGrowth() }
    if rowCount == buffers.capacity {
      buffers.growRows(to: buffers.capacity * 2, columnCount: columnCount)
    }
    let row = rowCount
    buffers.keys[row] = key.rawValue
    rowCount = row + 1
    return row
  }

  @inlinable
  package func setNull(row: Int, column: Int) {
    set(0, .null, row: row, column: column)
  }

  @inlinable
  package func setInteger(_ integer: Int64, row: Int, column: Int) {
    set(UInt64(bitPattern: integer), .integer, row: row, column: column)
  }

  @inlinable
  package func setReal(_ real: Double, row: Int, column: Int) {
    set(real.bitPattern, .real, row: row, column: column)
  }

  /// Copies text (`.text`, UTF-8) or a blob (`.blob`) onto the heap.
  @inlinable
  package func setBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, tag: CellTag, row: Int, column: Int
  ) {
    let offset = buffers.append(bytes)
    set(UInt64(offset) << 32 | UInt64(bytes.count), tag, row: row, column: column)
  }

  @inlinable @inline(__always)
  func set(_ cell: UInt64, _ tag: CellTag, row: Int, column: Int) {
    assert(!isSealed && row >= 0 && row < rowCount && column >= 0 && column < columnCount)
    let index = column &* buffers.capacity &+ row
    buffers.tags[index] = tag
    buffers.cells[index] = cell
  }

  package func setValue(_ value: Value, row: Int, column: Int) {
    switch value {
    case .null: setNull(row: row, column: column)
    case .integer(let integer): setInteger(integer, row: row, column: column)
    case .real(let real): setReal(real, row: row, column: column)
    case .text(var text):
      text.withStoredUTF8 { setBytes($0, tag: .text, row: row, column: column) }
    case .blob(let data):
      data.withUnsafeBytes {
        setBytes($0.assumingMemoryBound(to: UInt8.self), tag: .blob, row: row, column: column)
      }
    }
  }

  /// Copies a cell of another, sealed page.
  package func copyCell(from other: RowPage, row otherRow: Int, to row: Int, column: Int) {
    copyCell(from: other, row: otherRow, to: row, column: column, source: column)
  }

  /// Copies a cell of another column, `source`.
  package func copyCell(
    from other: RowPage, row otherRow: Int, to row: Int, column: Int, source: Int
  ) {
    switch other.tag(row: otherRow, column: source) {
    case .null: setNull(row: row, column: column)
    case .integer:
      setInteger(other.integer(row: otherRow, column: source), row: row, column: column)
    case .real: setReal(other.real(row: otherRow, column: source), row: row, column: column)
    case .text:
      setBytes(other.bytes(row: otherRow, column: source), tag: .text, row: row, column: column)
    case .blob:
      setBytes(other.bytes(row: otherRow, column: source), tag: .blob, row: row, column: column)
    }
  }

  /// Removes the last row, for a reader that does not want it.
  package func removeLastRow() {
    for column in 0..<columnCount { setNull(row: rowCount - 1, column: column) }
    rowCount -= 1
  }

  /// Ends filling and packs the rows.
  package func seal() {
    pack().deallocate()
  }
}
