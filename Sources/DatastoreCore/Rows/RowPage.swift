/// Rows of one entity, decoded in one pass into packed memory.
///
/// A row has a key and one cell for each slot of its entity. To-one relationships hold the key of
/// their destination as an integer; to-many slots stay NULL. A clean object is a reference to a page
/// and a row number, so realising it allocates nothing more.
///
/// Rows of an entity that others inherit from are as wide as those of its widest descendant, and one cell
/// wider: there is the index of the entity that the row is of (`Entity.entityColumn`).
///
/// A page is filled row by row into `RowBuffers` with eight bytes a cell, by one thread through
/// `RowPage+Building.swift`. `seal()` then packs it column by column into one piece of memory, each
/// column with as many bytes a cell as its greatest value needs (`RowColumn`); it is never written
/// again, and only from then on read.
///
/// Its stored properties are exempt from run-time exclusivity checks, which would cost more than the
/// access itself on every cell: one thread fills a page, and it is not written afterwards.
///
/// Sendable: after `seal()` all memory is immutable, and the filling code hands a page on only
/// sealed; that is what makes `@unchecked` safe here.
@usableFromInline package final class RowPage: @unchecked Sendable {
  /// The cells of a row.
  @usableFromInline package let columnCount: Int
  /// The rows that are in it.
  @exclusivity(unchecked) @usableFromInline package internal(set) var rowCount = 0
  /// A `RowColumn` for each column and one for the keys, then their cells; nothing before `seal()`.
  @exclusivity(unchecked) @usableFromInline var memory: UnsafeRawPointer
  /// The bytes of all text and blobs, row after row; behind the cells in the same piece of memory.
  @exclusivity(unchecked) @usableFromInline var heap: UnsafePointer<UInt8>
  /// What is filled; without memory once the page is sealed.
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

  /// An empty page like one that is full, which is sealed; saves making new buffers for each.
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
  /// Where its cells begin, in bytes from the beginning of the page's memory.
  @usableFromInline var offset: UInt32 = 0
  /// The storage class of all cells, unless there are several.
  @usableFromInline var tag = CellTag.null
  /// Cells differ in storage class: behind the cells is a tag for each.
  @usableFromInline var isMixed = false
  /// Bytes of a cell.
  ///
  /// - 0: every cell is NULL.
  /// - 1, 2, 4, 8: an integer of that size.
  /// - 4 in a column of reals: an integer of that size; other reals have 8.
  /// - 3: where text or a blob begins on the heap, 16 bits a cell, and behind those of all cells its
  ///   length, 8 bits a cell.
  /// - 8 in a column with text or blobs: offset and length, 32 bits each.
  @usableFromInline var width: UInt8 = 0
  /// Its numbers are reals.
  var isReal = false
}
