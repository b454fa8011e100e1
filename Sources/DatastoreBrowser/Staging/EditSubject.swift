import DatastoreCore

/// A property of an object, ready to be edited.
struct EditSubject: Hashable, Sendable {
  let target: EditTarget
  let entity: String
  let property: PropertyDescription
  /// Its value as it is now, whole; the key of the destination for a to-one relationship.
  let value: Value
  /// The values that the file allows, where it says so.
  let allowed: [Value]?
  /// The index of the entity that a relationship leads to.
  let destination: EntityIndex?
  /// The objects that get the value, when it is not just this one.
  var bulk: BulkTarget?
  /// `2024-02-29`, for dates that have no value yet.
  let today: String

  var name: String { "\(entity).\(property.name)" }

  /// Whether values that occur already are worth being offered: those of texts and whole numbers that
  /// may occur more than once.
  var mayRepeat: Bool {
    guard let attribute = property.attribute, !attribute.isUnique, attribute.dates == nil else {
      return false
    }
    return attribute.type == .string || attribute.type == .undefined || attribute.type.isInteger
  }

  var isOptional: Bool { property.attribute?.isOptional ?? true }

  /// Why it cannot be NULL; nil when it can.
  var reasonNotNull: String? {
    isOptional ? nil : "\(property.name) is not optional, so it cannot be NULL."
  }
}
