import DatastoreCore

/// Tells whether the attributes and to-one relationships of an object are as they were. O(1).
///
/// It holds on to the row and to the array of changed values, so a change of either makes a new one;
/// that the same memory is used means that nothing has changed.
struct RowStamp {
  private let page: RowPage?
  private let row: Int32
  private let values: BySlot<Value>

  init(_ object: DatastoreObject) {
    page = object.page
    row = object.row
    values = object.extras?.values ?? []
  }

  /// Whether nothing has changed since the stamp was made of that object.
  func isCurrent(for object: DatastoreObject) -> Bool {
    let now = RowStamp(object)
    return page === now.page && row == now.row && Self.address(values) == Self.address(now.values)
  }

  private static func address(_ values: BySlot<Value>) -> UnsafePointer<Value>? {
    values.elements.withUnsafeBufferPointer { $0.isEmpty ? nil : $0.baseAddress }
  }
}
