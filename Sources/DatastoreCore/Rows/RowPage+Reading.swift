public import Foundation

/// Reading cells. Rows and slots must be in range (checked in debug builds only).
extension RowPage {
  /// The key of a row.
  @inlinable
  public func key(ofRow row: Int) -> Int64 {
    assert(row >= 0 && row < rowCount)
    return keys[row]
  }

  /// The storage class of a cell.
  @inlinable
  public func tag(row: Int, slot: Int) -> CellTag {
    assert(row >= 0 && row < rowCount && slot >= 0 && slot < slotCount)
    return tags[row &* slotCount &+ slot]
  }

  /// The integer of a cell tagged `.integer`.
  @inlinable
  public func integer(row: Int, slot: Int) -> Int64 {
    Int64(bitPattern: cells[row &* slotCount &+ slot])
  }

  /// The real of a cell tagged `.real`.
  @inlinable
  public func real(row: Int, slot: Int) -> Double {
    Double(bitPattern: cells[row &* slotCount &+ slot])
  }

  /// The bytes of a cell tagged `.text` or `.blob`; valid while the page lives.
  @inlinable
  public func bytes(row: Int, slot: Int) -> UnsafeBufferPointer<UInt8> {
    let cell = cells[row &* slotCount &+ slot]
    return UnsafeBufferPointer(
      start: UnsafePointer(heap) + Int(cell >> 32), count: Int(cell & 0xFFFF_FFFF))
  }

  /// The text of a cell tagged `.text`; invalid UTF-8 reads as U+FFFD. O(length).
  @inlinable
  public func text(row: Int, slot: Int) -> String {
    String(decoding: bytes(row: row, slot: slot), as: UTF8.self)
  }

  /// The value of a cell. O(length) for text and blobs.
  @inlinable
  public func value(row: Int, slot: Int) -> Value {
    switch tag(row: row, slot: slot) {
    case .null: .null
    case .integer: .integer(integer(row: row, slot: slot))
    case .real: .real(real(row: row, slot: slot))
    case .text: .text(text(row: row, slot: slot))
    case .blob: .blob(Data(bytes(row: row, slot: slot)))
    }
  }
}
