/// Values that a migration would drop.
public struct MigrationLoss: Sendable, Hashable {
  /// What becomes of them.
  public enum Reason: Sendable, Hashable {
    /// The model does not have the entity; its objects go.
    case entityRemoved
    /// The model does not have the property.
    case propertyRemoved
    /// Values that cannot become values of the new type, and are optional.
    case typeChanged(to: AttributeType, examples: [String])
    /// Objects beyond the first where a relationship leads to one only.
    case narrowed
    /// The order of a relationship.
    case order
  }

  /// The entity, as the file calls it.
  public let entity: String
  /// The property, as the file calls it; nil for an entity.
  public let property: String?
  /// How many objects, values or pairs.
  public let count: Int
  public let reason: Reason
  /// Whether a version of the model on the way says that it removes it.
  public package(set) var isDeclared = false

  package init(entity: String, property: String?, count: Int, reason: Reason) {
    self.entity = entity
    self.property = property
    self.count = count
    self.reason = reason
  }

  /// How it is declared: `Visit` or `Person.fax`.
  public var name: String { property.map { "\(entity).\($0)" } ?? entity }
}

extension MigrationLoss: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    isDeclared ? sentence + ", as the version declares" : sentence
  }

  private var sentence: String {
    let number = MigrationText.number(count)
    switch reason {
    case .entityRemoved:
      return "\(MigrationText.count(count, entity)) would be lost, since the model has no \(entity)"
    case .propertyRemoved:
      return
        "\(number) \(count == 1 ? "value" : "values") of \(name) would be lost, since the model "
        + "does not have it"
    case .typeChanged(let type, let examples):
      return "\(number) \(count == 1 ? "value" : "values") of \(name) would be lost, since "
        + "\(count == 1 ? "it does" : "they do") not fit \(type.rawValue)"
        + MigrationText.examples(examples)
    case .narrowed:
      return
        "\(number) \(count == 1 ? "object" : "objects") of \(name) would be lost, since it leads "
        + "to one object only"
    case .order:
      return "the order of \(name) would be lost in \(MigrationText.count(count, entity))"
    }
  }
}

/// Numbers and names in the sentences of migrations.
enum MigrationText {
  /// `2,000`.
  static func number(_ count: Int) -> String {
    let digits = Array(String(count.magnitude))
    var text = count < 0 ? "-" : ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 Company`, `2,000 Companies`.
  static func count(_ count: Int, _ entity: String) -> String {
    "\(number(count)) \(count == 1 ? entity : plural(entity))"
  }

  static func plural(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    let hisses = ["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) }
    return name + (hisses ? "es" : "s")
  }

  /// ` (such as “a”, “b”)`; nothing without any.
  static func examples(_ examples: [String]) -> String {
    examples.isEmpty
      ? "" : " (such as \(examples.map { "“\($0)”" }.joined(separator: ", ")))"
  }
}
