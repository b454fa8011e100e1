/// Rows of an entity have a column for each slot, with the same number. Answers that are not rows of an
/// entity have only columns.
extension RowPage {
  /// The storage class of a cell.
  @inlinable @inline(__always)
  package func tag(row: Int, slot: Slot) -> CellTag { tag(row: row, column: slot.rawValue) }

  /// The integer of a cell tagged `.integer`.
  @inlinable @inline(__always)
  package func integer(row: Int, slot: Slot) -> Int64 { integer(row: row, column: slot.rawValue) }

  /// The key that a to-one relationship holds, in a cell tagged `.integer`.
  @inlinable @inline(__always)
  package func key(row: Int, slot: Slot) -> RowKey {
    RowKey(integer(row: row, column: slot.rawValue))
  }

  /// The real of a cell tagged `.real`.
  @inlinable @inline(__always)
  package func real(row: Int, slot: Slot) -> Double { real(row: row, column: slot.rawValue) }

  /// The bytes of a cell tagged `.text` or `.blob`; valid while the page lives.
  @inlinable @inline(__always)
  package func bytes(row: Int, slot: Slot) -> UnsafeBufferPointer<UInt8> {
    bytes(row: row, column: slot.rawValue)
  }

  /// The text of a cell tagged `.text`, as `text(row:column:)` reads it. O(length).
  @inlinable @inline(__always)
  package func text(row: Int, slot: Slot) -> String { text(row: row, column: slot.rawValue) }

  /// The value of a cell. O(length) for text and blobs.
  @inlinable @inline(__always)
  package func value(row: Int, slot: Slot) -> Value { value(row: row, column: slot.rawValue) }

  /// Whether a cell is equal to that of another page: storage class and content, byte by byte. O(length) for
  /// text and blobs.
  package func isSameCell(row: Int, as other: RowPage, row otherRow: Int, slot: Slot) -> Bool {
    isSameCell(row: row, as: other, row: otherRow, column: slot.rawValue)
  }
}

/// Filling a page.
extension RowPage {
  @inlinable
  package func setInteger(_ integer: Int64, row: Int, slot: Slot) {
    setInteger(integer, row: row, column: slot.rawValue)
  }

  @inlinable
  package func setKey(_ key: RowKey, row: Int, slot: Slot) {
    setInteger(key.rawValue, row: row, column: slot.rawValue)
  }

  @inlinable
  package func setReal(_ real: Double, row: Int, slot: Slot) {
    setReal(real, row: row, column: slot.rawValue)
  }

  /// Copies text (`.text`, UTF-8) or a blob (`.blob`) onto the heap.
  @inlinable
  package func setBytes(_ bytes: UnsafeBufferPointer<UInt8>, tag: CellTag, row: Int, slot: Slot) {
    setBytes(bytes, tag: tag, row: row, column: slot.rawValue)
  }

  package func setValue(_ value: Value, row: Int, slot: Slot) {
    setValue(value, row: row, column: slot.rawValue)
  }

  /// Copies a cell of another, sealed page.
  package func copyCell(from other: RowPage, row otherRow: Int, to row: Int, slot: Slot) {
    copyCell(from: other, row: otherRow, to: row, column: slot.rawValue)
  }
}
