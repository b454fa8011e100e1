import Basics

/// The memory of a page that is being filled: eight bytes and a tag for each cell, column by column, and the
/// bytes of text and blobs one after the other.
///
/// A cell holds the integer, the bits of the real, or offset (upper half) and length (lower half) of
/// its bytes on the heap. Cells that are NULL hold 0.
@usableFromInline
struct RowBuffers {
  @usableFromInline private(set) var keys: UnsafeMutablePointer<Int64>
  /// `capacity` of them for each column; the same for the tags.
  @usableFromInline private(set) var cells: UnsafeMutablePointer<UInt64>
  @usableFromInline private(set) var tags: UnsafeMutablePointer<CellTag>
  @usableFromInline private(set) var heap: UnsafeMutablePointer<UInt8>
  /// The number of rows that fit; 0 without memory.
  @usableFromInline private(set) var capacity: Int
  @usableFromInline private(set) var heapCapacity = 0
  @usableFromInline var heapCount = 0

  init(columnCount: Int, rowCapacity: Int) {
    capacity = rowCapacity
    let cellCount = rowCapacity * columnCount
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: rowCapacity * 8 + cellCount * 9, alignment: 8)
    keys = memory.bindMemory(to: Int64.self, capacity: rowCapacity)
    cells = (memory + rowCapacity * 8).initializeMemory(
      as: UInt64.self, repeating: 0, count: cellCount)
    tags = (memory + rowCapacity * 8 + cellCount * 8).initializeMemory(
      as: CellTag.self, repeating: .null, count: cellCount)
    heap = memory.assumingMemoryBound(to: UInt8.self)
  }

  @inlinable
  var hasMemory: Bool { capacity > 0 }

  func deallocate() {
    UnsafeMutableRawPointer(keys).deallocate()
    if heapCapacity > 0 { heap.deallocate() }
  }

  /// Gives the memory away: this value must no longer be used for filling.
  mutating func take() -> RowBuffers {
    let taken = self
    capacity = 0
    return taken
  }

  /// Makes every cell NULL again.
  mutating func clear(columnCount: Int) {
    heapCount = 0
    cells.update(repeating: 0, count: capacity * columnCount)
    tags.update(repeating: .null, count: capacity * columnCount)
  }

  /// Copies bytes onto the heap and returns their start.
  @inlinable @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let offset = heapCount
    let end = offset + bytes.count
    if end > heapCapacity { growHeap(to: end) }
    if let source = bytes.baseAddress {
      (heap + offset).update(from: source, count: bytes.count)
    }
    heapCount = end
    return offset
  }

  @usableFromInline
  mutating func growHeap(to needed: Int) {
    require(
      needed <= Int(UInt32.max),
      "the text and blobs of one page of rows exceed four gigabytes")
    let wanted = max(needed, heapCapacity * 2, capacity * 16, 64)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
    new.update(from: heap, count: heapCount)
    if heapCapacity > 0 { heap.deallocate() }
    heap = new
    heapCapacity = wanted
  }

  @usableFromInline
  mutating func growRows(to rowCapacity: Int, columnCount: Int) {
    var new = RowBuffers(columnCount: columnCount, rowCapacity: rowCapacity)
    new.keys.update(from: keys, count: capacity)
    for column in 0..<columnCount {
      (new.cells + column * rowCapacity).update(from: cells + column * capacity, count: capacity)
      (new.tags + column * rowCapacity).update(from: tags + column * capacity, count: capacity)
    }
    UnsafeMutableRawPointer(keys).deallocate()
    (new.heap, new.heapCapacity, new.heapCount) = (heap, heapCapacity, heapCount)
    self = new
  }
}
