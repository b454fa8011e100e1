import Foundation

/// Filling a page, by the one thread that made it and before `seal()`.
extension RowPage {
  /// Whether the page should be sealed and the next row start a new one: the heap of a page is
  /// addressed with 32 bits, and one kept object keeps its whole page.
  package var isFull: Bool { rowCount >= 256 || heapCount >= 1 << 22 }

  /// Starts the next row with every cell NULL. Returns its number.
  @discardableResult
  package func appendRow(key: Int64) -> Int {
    precondition(!isSealed, "a sealed row page cannot grow")
    if rowCount == rowCapacity { growRows(to: rowCapacity * 2) }
    let row = rowCount
    keys[row] = key
    let start = row * slotCount
    (tags + start).initialize(repeating: .null, count: slotCount)
    (cells + start).initialize(repeating: 0, count: slotCount)
    rowCount = row + 1
    return row
  }

  package func setInteger(_ integer: Int64, row: Int, slot: Int) {
    let index = row &* slotCount &+ slot
    tags[index] = .integer
    cells[index] = UInt64(bitPattern: integer)
  }

  package func setReal(_ real: Double, row: Int, slot: Int) {
    let index = row &* slotCount &+ slot
    tags[index] = .real
    cells[index] = real.bitPattern
  }

  /// Copies text (`.text`, UTF-8) or a blob (`.blob`) onto the heap.
  package func setBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, tag: CellTag, row: Int, slot: Int
  ) {
    let offset = heapCount
    precondition(
      offset + bytes.count <= Int(UInt32.max),
      "the text and blobs of one page of rows exceed four gigabytes")
    if offset + bytes.count > heapCapacity {
      growHeap(to: max(offset + bytes.count, heapCapacity * 2, rowCapacity * 16, 64))
    }
    if let source = bytes.baseAddress {
      (heap + offset).update(from: source, count: bytes.count)
    }
    heapCount = offset + bytes.count
    let index = row &* slotCount &+ slot
    tags[index] = tag
    cells[index] = UInt64(offset) << 32 | UInt64(bytes.count)
  }

  package func setValue(_ value: Value, row: Int, slot: Int) {
    switch value {
    case .null: tags[row &* slotCount &+ slot] = .null
    case .integer(let integer): setInteger(integer, row: row, slot: slot)
    case .real(let real): setReal(real, row: row, slot: slot)
    case .text(var text):
      text.withUTF8 { setBytes($0, tag: .text, row: row, slot: slot) }
    case .blob(let data):
      data.withUnsafeBytes {
        setBytes($0.assumingMemoryBound(to: UInt8.self), tag: .blob, row: row, slot: slot)
      }
    }
  }

  /// Copies a cell of another page.
  package func copyCell(from other: RowPage, row otherRow: Int, to row: Int, slot: Int) {
    switch other.tag(row: otherRow, slot: slot) {
    case .null: tags[row &* slotCount &+ slot] = .null
    case .integer:
      setInteger(other.integer(row: otherRow, slot: slot), row: row, slot: slot)
    case .real: setReal(other.real(row: otherRow, slot: slot), row: row, slot: slot)
    case .text:
      setBytes(other.bytes(row: otherRow, slot: slot), tag: .text, row: row, slot: slot)
    case .blob:
      setBytes(other.bytes(row: otherRow, slot: slot), tag: .blob, row: row, slot: slot)
    }
  }

  /// One sealed row: an old one with the slots of an update laid over it.
  package convenience init(merging update: RowUpdate, into old: RowPage, row oldRow: Int) {
    self.init(slotCount: old.slotCount, rowCapacity: 1)
    let row = appendRow(key: update.key)
    for slot in 0..<slotCount {
      if update.slots.contains(slot) {
        copyCell(from: update.page, row: update.row, to: row, slot: slot)
      } else {
        copyCell(from: old, row: oldRow, to: row, slot: slot)
      }
    }
    seal()
  }

  /// Forgets the last row, for a reader that found it to be unwanted.
  package func removeLastRow() {
    rowCount -= 1
  }

  /// Forgets all rows and keeps their memory, for a reader that looks at one row at a time.
  package func removeAllRows() {
    precondition(!isSealed, "a sealed row page cannot be emptied")
    rowCount = 0
    heapCount = 0
  }

  /// Ends filling and gives back memory that was not used.
  package func seal() {
    if rowCapacity > rowCount { growRows(to: max(rowCount, 1)) }
    // A few bytes less are not worth a copy.
    if heapCapacity > heapCount + 32 { growHeap(to: heapCount) }
    isSealed = true
  }

  private func growRows(to capacity: Int) {
    let old = (keys: keys, cells: cells, tags: tags)
    (keys, cells, tags) = Self.block(rows: capacity, slotCount: slotCount)
    keys.update(from: old.keys, count: rowCount)
    cells.update(from: old.cells, count: rowCount * slotCount)
    tags.update(from: old.tags, count: rowCount * slotCount)
    UnsafeMutableRawPointer(old.keys).deallocate()
    rowCapacity = capacity
  }

  private func growHeap(to capacity: Int) {
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    new.update(from: heap, count: heapCount)
    if heapCapacity > 0 { heap.deallocate() }
    heap = new
    heapCapacity = capacity
  }
}
