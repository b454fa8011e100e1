/// Rows of one entity, decoded in one pass into packed memory.
///
/// A row has a key and one cell for each slot of its entity. To-one relationships hold the key of their
/// destination as an integer; to-many slots stay NULL. A clean object is a reference to a page and a row
/// number, so realising it allocates nothing else.
///
/// Rows of an entity with descendants are as wide as those of its widest descendant, plus one cell with the
/// index of the row's entity (`Entity.entityColumn`).
///
/// A page is filled row by row into `RowBuffers` with eight bytes a cell, by one thread through
/// `RowPage+Building.swift`. `seal()` then packs it column by column into one allocation, each column with as
/// many bytes a cell as its greatest value needs (`RowColumn`). From then on it is read, and never written
/// again.
///
/// Its stored properties are exempt from run-time exclusivity checks, which would cost more than the
/// access itself on every cell: one thread fills a page, and it is not written afterwards.
///
/// Sendable: after `seal()` all memory is immutable, and the filling code passes a page on only when it is
/// sealed; that makes `@unchecked` safe here.
@usableFromInline package final class RowPage: @unchecked Sendable {
  /// The number of cells in a row.
  @usableFromInline package let columnCount: Int
  @exclusivity(unchecked) @usableFromInline package internal(set) var rowCount = 0
  /// A `RowColumn` for each column and one for the keys, then their cells; nothing before `seal()`.
  @exclusivity(unchecked) @usableFromInline var memory: UnsafeRawPointer
  /// The bytes of all text and blobs, row after row; after the cells in the same allocation.
  @exclusivity(unchecked) @usableFromInline var heap: UnsafePointer<UInt8>
  /// The buffers being filled; without memory once the page is sealed.
  @exclusivity(unchecked) @usableFromInline var buffers: RowBuffers

  /// An empty page for rows of `columnCount` cells.
  ///
  /// - Parameter rowCapacity: rows to make room for at first; the page grows beyond it.
  package init(columnCount: Int, rowCapacity: Int = 64) {
    self.columnCount = columnCount
    memory = Self.nothing
    heap = memory.assumingMemoryBound(to: UInt8.self)
    buffers = RowBuffers(columnCount: columnCount, rowCapacity: max(rowCapacity, 1))
  }

  /// Creates an empty page like a full one, which is sealed. Reuses its buffers.
  package init(sealing full: RowPage) {
    columnCount = full.columnCount
    memory = Self.nothing
    heap = memory.assumingMemoryBound(to: UInt8.self)
    buffers = full.pack()
    buffers.clear(columnCount: columnCount)
  }

  deinit {
    if isSealed { memory.deallocate() } else { buffers.deallocate() }
  }

  /// Whether filling has ended.
  @usableFromInline var isSealed: Bool { !buffers.hasMemory }

  /// The memory of a page that is not sealed; never read or written.
  private static var nothing: UnsafeRawPointer { UnsafeRawPointer(nothingMemory.pointer) }
  private static let nothingMemory = NoMemory()

  /// Sendable: its byte is never touched.
  private struct NoMemory: @unchecked Sendable {
    let pointer = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
  }
}

/// The storage class of a cell.
@frozen
@usableFromInline package enum CellTag: UInt8, Sendable {
  /// No value.
  case null
  /// A signed 64-bit integer.
  case integer
  /// A double.
  case real
  /// UTF-8 bytes.
  case text
  /// Bytes.
  case blob
}

/// How a sealed page stores one column.
@usableFromInline
struct RowColumn {
  /// The offset of its cells from the beginning of the page's memory, in bytes.
  @usableFromInline var offset: UInt32 = 0
  /// The storage class of all cells, unless there are several.
  @usableFromInline var tag = CellTag.null
  /// Whether cells differ in storage class: their tags then follow the cells.
  @usableFromInline var isMixed = false
  /// The number of bytes in a cell.
  ///
  /// - 0: every cell is NULL.
  /// - 1, 2, 4, 8: an integer of that size.
  /// - 4 in a column of reals: an integer of that size; otherwise reals have 8.
  /// - 3: the start of text or a blob on the heap, 16 bits a cell; after those of all cells, its length, 8
  ///   bits a cell.
  /// - 8 in a column with text or blobs: offset and length, 32 bits each.
  @usableFromInline var width: UInt8 = 0
  /// Whether its numbers are reals.
  var isReal = false
}
