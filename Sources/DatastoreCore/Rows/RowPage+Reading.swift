public import Foundation

/// Reading cells of a sealed page. Rows and slots must be in range (checked in debug builds only).
extension RowPage {
  @inlinable @inline(__always)
  func column(_ slot: Int) -> RowColumn {
    assert(isSealed, "a row page is read only when it is sealed")
    assert(slot >= 0 && slot <= slotCount)
    return memory.load(
      fromByteOffset: slot &* MemoryLayout<RowColumn>.stride, as: RowColumn.self)
  }

  /// The key of a row.
  @inlinable @inline(__always)
  package func key(ofRow row: Int) -> Int64 { integer(row: row, slot: slotCount) }

  /// The storage class of a cell.
  @inlinable @inline(__always)
  package func tag(row: Int, slot: Int) -> CellTag {
    assert(row >= 0 && row < rowCount && slot >= 0 && slot < slotCount)
    let column = column(slot)
    guard column.isMixed else { return column.tag }
    return memory.load(
      fromByteOffset: Int(column.offset) &+ Int(column.width) &* rowCount &+ row,
      as: CellTag.self)
  }

  /// The integer of a cell tagged `.integer`.
  @inlinable @inline(__always)
  package func integer(row: Int, slot: Int) -> Int64 {
    assert(row >= 0 && row < rowCount)
    let column = column(slot)
    let cells = memory + Int(column.offset)
    return switch column.width {
    case 1: Int64(cells.load(fromByteOffset: row, as: Int8.self))
    case 2: Int64(cells.load(fromByteOffset: row &* 2, as: Int16.self))
    case 4: Int64(cells.load(fromByteOffset: row &* 4, as: Int32.self))
    default: cells.load(fromByteOffset: row &* 8, as: Int64.self)
    }
  }

  /// The real of a cell tagged `.real`.
  @inlinable @inline(__always)
  package func real(row: Int, slot: Int) -> Double {
    assert(row >= 0 && row < rowCount)
    let column = column(slot)
    let cells = memory + Int(column.offset)
    return column.width == 4
      ? Double(cells.load(fromByteOffset: row &* 4, as: Int32.self))
      : cells.load(fromByteOffset: row &* 8, as: Double.self)
  }

  /// The bytes of a cell tagged `.text` or `.blob`; valid while the page lives.
  @inlinable @inline(__always)
  package func bytes(row: Int, slot: Int) -> UnsafeBufferPointer<UInt8> {
    assert(row >= 0 && row < rowCount)
    let column = column(slot)
    let cells = memory + Int(column.offset)
    if column.width == 3 {
      return UnsafeBufferPointer(
        start: heap + Int(cells.load(fromByteOffset: row &* 2, as: UInt16.self)),
        count: Int(cells.load(fromByteOffset: rowCount &* 2 &+ row, as: UInt8.self)))
    }
    let cell = cells.load(fromByteOffset: row &* 8, as: UInt64.self)
    return UnsafeBufferPointer(
      start: heap + Int(cell >> 32), count: Int(cell & 0xFFFF_FFFF))
  }

  /// The text of a cell tagged `.text`; a byte that is not UTF-8 reads as a scalar from U+10FE80 to U+10FEFF,
  /// which is stored as that byte again. O(length).
  @inlinable
  package func text(row: Int, slot: Int) -> String {
    String(stored: bytes(row: row, slot: slot))
  }

  /// The value of a cell. O(length) for text and blobs.
  @inlinable
  package func value(row: Int, slot: Int) -> Value {
    switch tag(row: row, slot: slot) {
    case .null: .null
    case .integer: .integer(integer(row: row, slot: slot))
    case .real: .real(real(row: row, slot: slot))
    case .text: .text(text(row: row, slot: slot))
    case .blob: .blob(Data(bytes(row: row, slot: slot)))
    }
  }

  /// Whether a cell is the same as that of another page: storage class and content, byte by byte.
  /// O(length) for text and blobs.
  package func isSameCell(row: Int, as other: RowPage, row otherRow: Int, slot: Int) -> Bool {
    let tag = tag(row: row, slot: slot)
    guard tag == other.tag(row: otherRow, slot: slot) else { return false }
    switch tag {
    case .null: return true
    case .integer:
      return integer(row: row, slot: slot) == other.integer(row: otherRow, slot: slot)
    case .real:
      // As SQLite compares them: zero is zero, whatever its sign.
      return real(row: row, slot: slot) == other.real(row: otherRow, slot: slot)
    case .text, .blob:
      return bytes(row: row, slot: slot).elementsEqual(other.bytes(row: otherRow, slot: slot))
    }
  }

  /// The memory of all cells, texts and blobs, about.
  package var byteCount: Int {
    var bytes = rowCount * slotCount * 8
    for slot in 0..<slotCount {
      for row in 0..<rowCount {
        switch tag(row: row, slot: slot) {
        case .text, .blob: bytes += self.bytes(row: row, slot: slot).count
        case .null, .integer, .real: break
        }
      }
    }
    return bytes
  }
}
