public import Foundation

/// Reading cells of a sealed page. Rows and columns must be in range (checked in debug builds only).
extension RowPage {
  @inlinable @inline(__always)
  func packing(_ column: Int) -> RowColumn {
    assert(isSealed, "a row page is read only when it is sealed")
    assert(column >= 0 && column <= columnCount)
    return memory.load(
      fromByteOffset: column &* MemoryLayout<RowColumn>.stride, as: RowColumn.self)
  }

  @inlinable @inline(__always)
  package func key(ofRow row: Int) -> RowKey {
    RowKey(integer(row: row, column: columnCount))
  }

  /// The storage class of a cell.
  @inlinable @inline(__always)
  package func tag(row: Int, column: Int) -> CellTag {
    assert(row >= 0 && row < rowCount && column >= 0 && column < columnCount)
    let packing = packing(column)
    guard packing.isMixed else { return packing.tag }
    return memory.load(
      fromByteOffset: Int(packing.offset) &+ Int(packing.width) &* rowCount &+ row,
      as: CellTag.self)
  }

  /// The integer of a cell tagged `.integer`.
  @inlinable @inline(__always)
  package func integer(row: Int, column: Int) -> Int64 {
    assert(row >= 0 && row < rowCount)
    let packing = packing(column)
    let cells = memory + Int(packing.offset)
    return switch packing.width {
    case 1: Int64(cells.load(fromByteOffset: row, as: Int8.self))
    case 2: Int64(cells.load(fromByteOffset: row &* 2, as: Int16.self))
    case 4: Int64(cells.load(fromByteOffset: row &* 4, as: Int32.self))
    default: cells.load(fromByteOffset: row &* 8, as: Int64.self)
    }
  }

  /// The real of a cell tagged `.real`.
  @inlinable @inline(__always)
  package func real(row: Int, column: Int) -> Double {
    assert(row >= 0 && row < rowCount)
    let packing = packing(column)
    let cells = memory + Int(packing.offset)
    return packing.width == 4
      ? Double(cells.load(fromByteOffset: row &* 4, as: Int32.self))
      : cells.load(fromByteOffset: row &* 8, as: Double.self)
  }

  /// The bytes of a cell tagged `.text` or `.blob`; valid while the page lives.
  @inlinable @inline(__always)
  package func bytes(row: Int, column: Int) -> UnsafeBufferPointer<UInt8> {
    assert(row >= 0 && row < rowCount)
    let packing = packing(column)
    let cells = memory + Int(packing.offset)
    if packing.width == 3 {
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
  package func text(row: Int, column: Int) -> String {
    String(stored: bytes(row: row, column: column))
  }

  /// The value of a cell. O(length) for text and blobs.
  @inlinable
  package func value(row: Int, column: Int) -> Value {
    switch tag(row: row, column: column) {
    case .null: .null
    case .integer: .integer(integer(row: row, column: column))
    case .real: .real(real(row: row, column: column))
    case .text: .text(text(row: row, column: column))
    case .blob: .blob(Data(bytes(row: row, column: column)))
    }
  }

  /// Whether a cell is equal to that of another page: storage class and content, byte by byte. O(length) for
  /// text and blobs.
  package func isSameCell(row: Int, as other: RowPage, row otherRow: Int, column: Int) -> Bool {
    let tag = tag(row: row, column: column)
    guard tag == other.tag(row: otherRow, column: column) else { return false }
    switch tag {
    case .null: return true
    case .integer:
      return integer(row: row, column: column) == other.integer(row: otherRow, column: column)
    case .real:
      // As SQLite compares them: zeros are equal, whatever their signs.
      return real(row: row, column: column) == other.real(row: otherRow, column: column)
    case .text, .blob:
      let mine = bytes(row: row, column: column)
      let theirs = other.bytes(row: otherRow, column: column)
      guard mine.count == theirs.count else { return false }
      guard let start = mine.baseAddress, let other = theirs.baseAddress else { return true }
      return memcmp(start, other, mine.count) == 0
    }
  }

  /// The approximate memory of all cells, texts and blobs.
  package var byteCount: Int {
    var bytes = rowCount * columnCount * 8
    for column in 0..<columnCount {
      for row in 0..<rowCount {
        switch tag(row: row, column: column) {
        case .text, .blob: bytes += self.bytes(row: row, column: column).count
        case .null, .integer, .real: break
        }
      }
    }
    return bytes
  }
}
