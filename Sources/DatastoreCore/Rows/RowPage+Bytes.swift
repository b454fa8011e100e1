package import Foundation

/// A page as bytes, for another process: its memory, preceded by its sizes.
///
/// The bytes are in the order of the machine; both ends of a connection are little-endian machines.
extension RowPage {
  /// The size of the header: the numbers of columns and rows, the start of texts and blobs, and their number
  /// of bytes, each in 4 bytes.
  private static var headSize: Int { 16 }

  /// Appends the page, which is sealed, to `data`.
  package func append(to data: inout Data) {
    let heapStart = UnsafeRawPointer(heap) - memory
    for number in [columnCount, rowCount, heapStart, buffers.heapCount] {
      withUnsafeBytes(of: UInt32(number)) { data.append(contentsOf: $0) }
    }
    data.append(
      UnsafeRawBufferPointer(start: memory, count: heapStart + buffers.heapCount)
        .assumingMemoryBound(to: UInt8.self))
  }

  /// Reads a page from bytes that `append` has made, or someone else: all of them are checked, so that
  /// reading the page never leaves them.
  ///
  /// - Returns: nil if they are not a page.
  package static func read(_ data: Data) -> RowPage? {
    data.withUnsafeBytes { bytes in
      guard bytes.count >= headSize else { return nil }
      let head = (0..<4).map {
        Int(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
      let (columnCount, rowCount, heapStart, heapCount) = (head[0], head[1], head[2], head[3])
      guard bytes.count - headSize == heapStart + heapCount else { return nil }
      let content = UnsafeMutableRawPointer.allocate(
        byteCount: max(heapStart + heapCount, 8), alignment: 8)
      if heapStart + heapCount > 0, let start = bytes.baseAddress {
        content.copyMemory(from: start + headSize, byteCount: heapStart + heapCount)
      }
      let packed = PackedPage(
        columnCount: columnCount, rowCount: rowCount, heapStart: heapStart, heapCount: heapCount,
        content: UnsafeRawPointer(content))
      guard packed.isWhole else {
        content.deallocate()
        return nil
      }
      return RowPage(packed)
    }
  }

  /// - Parameter packed: a checked page.
  private convenience init(_ packed: PackedPage) {
    self.init(columnCount: packed.columnCount, rowCapacity: 1)
    buffers.take().deallocate()
    buffers.heapCount = packed.heapCount
    rowCount = packed.rowCount
    memory = packed.content
    heap = (packed.content + packed.heapStart).assumingMemoryBound(to: UInt8.self)
  }
}

/// The memory of a page that was not checked yet.
private struct PackedPage {
  let columnCount: Int
  let rowCount: Int
  let heapStart: Int
  let heapCount: Int
  let content: UnsafeRawPointer

  /// The description of a column, as raw bytes: not every byte is a valid tag or Boolean.
  private struct Packing {
    let offset: Int
    let tag: UInt8
    let isMixed: UInt8
    let width: Int
    let isReal: UInt8

    init(_ bytes: UnsafeRawPointer) {
      offset = Int(bytes.load(as: UInt32.self))
      tag = bytes.load(fromByteOffset: 4, as: UInt8.self)
      isMixed = bytes.load(fromByteOffset: 5, as: UInt8.self)
      width = Int(bytes.load(fromByteOffset: 6, as: UInt8.self))
      isReal = bytes.load(fromByteOffset: 7, as: UInt8.self)
    }
  }

  /// Whether every cell, and the bytes it points to, are inside the page.
  var isWhole: Bool {
    let packingSize = MemoryLayout<RowColumn>.stride
    // Limited to what fits, so that no product overflows.
    guard columnCount < heapStart / packingSize + 1, (columnCount + 1) * packingSize <= heapStart,
      rowCount <= 1 << 28
    else { return false }
    return (0...columnCount).allSatisfy { column in
      let packing = Packing(content + column * packingSize)
      return isWhole(packing, isKey: column == columnCount)
    }
  }

  private func isWhole(_ packing: Packing, isKey: Bool) -> Bool {
    guard [0, 1, 2, 3, 4, 8].contains(packing.width), packing.isMixed <= 1, packing.isReal <= 1,
      packing.offset % (packing.width == 3 ? 2 : max(packing.width, 1)) == 0,
      packing.offset + (packing.width + Int(packing.isMixed)) * rowCount <= heapStart
    else { return false }
    if isKey {
      return packing.isMixed == 0 && packing.tag == CellTag.integer.rawValue
        && isWidth(packing.width, of: .integer)
    }
    let cells = content + packing.offset
    let tags = cells + packing.width * rowCount
    return (0..<rowCount).allSatisfy { row in
      let byte =
        packing.isMixed == 1 ? tags.load(fromByteOffset: row, as: UInt8.self) : packing.tag
      guard let tag = CellTag(rawValue: byte), isWidth(packing.width, of: tag) else { return false }
      guard tag == .text || tag == .blob else { return true }
      let start: Int
      let count: Int
      if packing.width == 3 {
        start = Int(cells.load(fromByteOffset: row * 2, as: UInt16.self))
        count = Int(cells.load(fromByteOffset: rowCount * 2 + row, as: UInt8.self))
      } else {
        let cell = cells.load(fromByteOffset: row * 8, as: UInt64.self)
        (start, count) = (Int(cell >> 32), Int(cell & 0xFFFF_FFFF))
      }
      // The start of empty text is never used.
      return count == 0 || start + count <= heapCount
    }
  }

  /// Whether `RowPage` reads cells of a kind with a width.
  private func isWidth(_ width: Int, of tag: CellTag) -> Bool {
    switch tag {
    case .null: true
    case .integer: [1, 2, 4, 8].contains(width)
    case .real: width == 4 || width == 8
    case .text, .blob: width == 3 || width == 8
    }
  }
}
