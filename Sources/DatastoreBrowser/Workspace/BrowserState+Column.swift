import DatastoreCore

extension BrowserState {
  /// The attribute of the column under the cursor; nil for a relationship.
  var attributeUnderCursor: AttributeDescription? {
    guard let column = table?.currentColumn else { return nil }
    return entity?.properties[column.slot].attribute
  }
}
