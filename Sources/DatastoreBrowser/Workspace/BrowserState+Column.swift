import DatastoreCore

extension BrowserState {
  /// The attribute of the column under the cursor; nil for a relationship, and for what is computed.
  var attributeUnderCursor: AttributeDescription? {
    guard let slot = table?.currentColumn?.slot else { return nil }
    return entity?.properties[slot].attribute
  }
}
