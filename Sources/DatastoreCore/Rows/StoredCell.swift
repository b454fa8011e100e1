/// One cell of a row, valid while it is being read.
///
/// It does not keep its row alive and cannot be copied, so reading a property does no reference counting.
@frozen
public struct StoredCell: ~Copyable {
  @usableFromInline let page: Unmanaged<RowPage>
  @usableFromInline let row: Int
  @usableFromInline let slot: Slot

  /// - Precondition: the page lives until the cell was read.
  @inlinable
  package init(_ page: Unmanaged<RowPage>, row: Int, slot: Slot) {
    self.page = page
    self.row = row
    self.slot = slot
  }

  /// The stored value.
  @inlinable
  public var value: Value {
    page._withUnsafeGuaranteedRef { $0.value(row: row, slot: slot) }
  }

  /// The storage class of the value.
  @inlinable
  package var tag: CellTag {
    page._withUnsafeGuaranteedRef { $0.tag(row: row, slot: slot) }
  }

  /// The integer of a cell tagged `.integer`.
  @inlinable
  package var integer: Int64 {
    page._withUnsafeGuaranteedRef { $0.integer(row: row, slot: slot) }
  }

  /// The real of a cell tagged `.real`.
  @inlinable
  package var real: Double {
    page._withUnsafeGuaranteedRef { $0.real(row: row, slot: slot) }
  }

  /// The text of a cell tagged `.text`.
  @inlinable
  package var text: String {
    page._withUnsafeGuaranteedRef { $0.text(row: row, slot: slot) }
  }
}
