/// Rows of one entity, decoded in one pass into packed memory.
///
/// A row has a key and one cell for each slot of its entity: a tag (the storage class) and eight
/// bytes (the integer, the real, or offset and length of text and blob bytes on the page's heap).
/// To-one relationships hold the key of their destination as an integer; to-many slots stay NULL.
/// A clean object is a reference to a page and a row number, so realising it allocates nothing more.
///
/// Rows of an entity that others inherit from are as wide as those of its widest descendant, and one cell
/// wider: there stands the index of the entity that the row is of (`Entity.entitySlot`).
///
/// A page is filled by one thread through `RowPage+Building.swift`, then `seal()`ed and never
/// written again.
///
/// Its stored properties are exempt from run-time exclusivity checks, which would cost more than the
/// access itself on every cell: one thread fills a page, and nobody writes it afterwards.
///
/// Sendable: after `seal()` all memory is immutable, and the filling code hands a page on only
/// sealed; that is what makes `@unchecked` safe here.
public final class RowPage: @unchecked Sendable {
  /// The cells of a row.
  public let slotCount: Int
  /// The rows that are in it.
  @exclusivity(unchecked) public internal(set) var rowCount = 0
  @exclusivity(unchecked) @usableFromInline var keys: UnsafeMutablePointer<Int64>
  @exclusivity(unchecked) @usableFromInline var cells: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) @usableFromInline var tags: UnsafeMutablePointer<CellTag>
  @exclusivity(unchecked) @usableFromInline var heap: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) var rowCapacity: Int
  @exclusivity(unchecked) var heapCapacity: Int
  /// Bytes of text and blobs on the heap.
  @exclusivity(unchecked) public internal(set) var heapCount = 0
  @exclusivity(unchecked) var isSealed = false

  /// An empty page for rows of `slotCount` cells.
  ///
  /// - Parameter rowCapacity: rows to make room for at first; the page grows beyond it.
  public init(slotCount: Int, rowCapacity: Int = 64) {
    self.slotCount = slotCount
    self.rowCapacity = max(rowCapacity, 1)
    heapCapacity = 0
    (keys, cells, tags) = Self.block(rows: self.rowCapacity, slotCount: slotCount)
    heap = Self.noHeap
  }

  deinit {
    UnsafeMutableRawPointer(keys).deallocate()
    if heapCapacity > 0 { heap.deallocate() }
  }

  /// Keys, then cells, then tags in one piece of memory that begins at the keys.
  static func block(
    rows: Int, slotCount: Int
  ) -> (UnsafeMutablePointer<Int64>, UnsafeMutablePointer<UInt64>, UnsafeMutablePointer<CellTag>) {
    let cellCount = rows * slotCount
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: rows * 8 + cellCount * 9, alignment: 8)
    return (
      memory.bindMemory(to: Int64.self, capacity: rows),
      (memory + rows * 8).bindMemory(to: UInt64.self, capacity: cellCount),
      (memory + rows * 8 + cellCount * 8).bindMemory(to: CellTag.self, capacity: cellCount)
    )
  }

  /// Where the heap of a page without text and blobs stands; never read or written, as all of its
  /// bytes are none.
  private static var noHeap: UnsafeMutablePointer<UInt8> { noHeapMemory.pointer }
  private static let noHeapMemory = NoHeap()

  /// Sendable: its byte is never touched.
  private struct NoHeap: @unchecked Sendable {
    let pointer = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
  }
}

/// The storage class of a cell.
@frozen
public enum CellTag: UInt8, Sendable {
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
