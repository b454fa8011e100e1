import Basics

/// Values that a migration would drop.
public struct MigrationLoss: Sendable, Hashable {
  /// The reason for the loss.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The model does not have the entity; its objects are deleted.
    case entityRemoved
    /// The model does not have the property.
    case propertyRemoved
    /// Optional values that cannot be converted to the new type.
    case typeChanged(to: AttributeType, examples: [String])
    /// Objects beyond the first of a relationship that becomes to-one.
    case narrowed
    /// The order of a relationship.
    case order
  }

  /// The entity, by its name in the file.
  public let entity: String
  /// The property, by its name in the file; nil for an entity.
  public let property: String?
  /// The number of objects, values or pairs.
  public let count: Int
  public let reason: Reason
  /// Whether a version of the model on the way declares its removal.
  public package(set) var isDeclared = false
  /// Whether the migration was asked to drop them.
  package var isAsked = false

  package init(entity: String, property: String?, count: Int, reason: Reason) {
    self.entity = entity
    self.property = property
    self.count = count
    self.reason = reason
  }

  /// The form of its declaration: `Visit` or `Person.fax`.
  public var name: String { property.map { "\(entity).\($0)" } ?? entity }
}

extension MigrationLoss: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    if isAsked { return sentence("will be removed as asked") }
    return sentence("would be lost") + (isDeclared ? ", as the version declares" : "")
  }

  private func sentence(_ fate: String) -> String {
    switch reason {
    case .entityRemoved:
      return "\(CountText.counted(count, entity)) \(fate), since the model has no \(entity)"
    case .propertyRemoved:
      return "\(CountText.counted(count, "value")) of \(name) \(fate), since the model "
        + "does not have it"
    case .typeChanged(let type, let examples):
      return "\(CountText.counted(count, "value")) of \(name) \(fate), since "
        + "\(count == 1 ? "it does" : "they do") not fit \(type.rawValue)"
        + MigrationText.examples(examples)
    case .narrowed:
      return "\(CountText.counted(count, "object")) of \(name) \(fate), since it leads "
        + "to one object only"
    case .order:
      return "the order of \(name) \(fate) in \(CountText.counted(count, entity))"
    }
  }
}

/// Examples and sizes in the sentences of migrations.
enum MigrationText {
  /// ` (such as “a”, “b”)`; empty without examples.
  static func examples(_ examples: [String]) -> String {
    examples.isEmpty
      ? "" : " (such as \(examples.map { "“\($0)”" }.joined(separator: ", ")))"
  }
}
