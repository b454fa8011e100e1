import DatastoreCore

/// A mark of an object's attributes and to-one relationships, for detecting changes. O(1).
///
/// It keeps the row and the array of changed values alive, so a change of either makes a new one: if the
/// memory is the same, nothing has changed.
struct RowStamp {
  private let page: RowPage?
  private let row: Int32
  private let values: BySlot<Value>

  init(_ object: DatastoreObject) {
    page = object.page
    row = object.row
    values = object.extras?.values ?? []
  }

  /// Whether the object has not changed since the stamp was made.
  func isCurrent(for object: DatastoreObject) -> Bool {
    let now = RowStamp(object)
    return page === now.page && row == now.row && Self.address(values) == Self.address(now.values)
  }

  private static func address(_ values: BySlot<Value>) -> UnsafePointer<Value>? {
    values.elements.withUnsafeBufferPointer { $0.isEmpty ? nil : $0.baseAddress }
  }
}
