import DatastoreCore

/// A property of an object, ready to be edited.
struct EditSubject: Hashable, Sendable {
  let target: EditTarget
  let entity: String
  let property: PropertyDescription
  /// The current value in full; for a to-one relationship, the key of the destination.
  let value: Value
  /// The values that the file allows, if it limits them.
  let allowed: [Value]?
  /// The index of a relationship's destination entity.
  let destination: EntityIndex?
  /// The objects to change, if the edit is not of this object only.
  var bulk: BulkTarget?
  /// The current date, `2024-02-29`, to suggest for dates without a value.
  let today: String

  var name: String { "\(entity).\(property.name)" }

  /// Whether to offer the values in the column: for texts and whole numbers that may occur more than once.
  var mayRepeat: Bool {
    guard let attribute = property.attribute, !attribute.isUnique, attribute.dates == nil else {
      return false
    }
    return attribute.type == .string || attribute.type == .undefined || attribute.type.isInteger
  }

  var isOptional: Bool { property.attribute?.isOptional ?? true }

  /// Why the value cannot be NULL; nil if it can.
  var reasonNotNull: String? {
    isOptional ? nil : "\(property.name) is not optional, so it cannot be NULL."
  }
}
