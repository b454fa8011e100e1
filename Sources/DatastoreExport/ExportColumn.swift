package import DatastoreCore

/// A column of what is written.
package struct ExportColumn: Sendable, Hashable {
  package var name: String
  /// What its values mean: decides how stored numbers and bytes are written.
  package let type: AttributeType

  package init(name: String, type: AttributeType) {
    self.name = name
    self.type = type
  }
}
