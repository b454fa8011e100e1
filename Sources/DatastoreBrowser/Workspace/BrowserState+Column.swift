import DatastoreCore

extension BrowserState {
  /// The attribute of the column under the cursor; nil for a relationship or a computed column.
  var attributeUnderCursor: AttributeDescription? {
    guard let slot = table?.currentColumn?.slot else { return nil }
    return entity?.properties[slot].attribute
  }
}
