import Basics

/// The error of a store that was not migrated to a model, with every obstacle. The file is unchanged.
public struct MigrationError: Error, Sendable, Hashable {
  /// The file, or the name of the store.
  public let path: String
  /// All obstacles.
  public let obstacles: [MigrationObstacle]

  package init(path: String, obstacles: [MigrationObstacle]) {
    self.path = path
    self.obstacles = obstacles
  }
}

extension MigrationError: CustomStringConvertible {
  public var description: String { description(of: \.description) }

  /// The description with other words for each obstacle: programs without source text declare losses
  /// differently.
  package func description(of words: (MigrationObstacle) -> String) -> String {
    let beginning = "\(path) was made from another version of the model and was not migrated"
    guard obstacles.count > 1 else {
      return "\(beginning): \(obstacles.first.map(words) ?? "nothing was to be done"). "
        + "Nothing was changed."
    }
    let list = obstacles.map { "\n  - \(words($0))" }.joined()
    return "\(beginning). Nothing was changed.\(list)"
  }
}

/// An obstacle to a migration.
@nonexhaustive
public enum MigrationObstacle: Error, Sendable, Hashable {
  /// The policy does not allow migrations.
  case notAllowed([SchemaChange])
  /// Rows would have to be written, which the policy does not allow.
  case touchesRows([SchemaChange])
  /// Values would be lost without being declared.
  case loss(MigrationLoss)
  /// Objects would have no value for a required property.
  case missingValues(entity: String, property: String, count: Int, of: Int)
  /// Values of a required property do not fit its new type.
  case valuesDoNotFit(
    entity: String, property: String, AttributeType, count: Int, of: Int, examples: [String])
  /// Values break a new rule of the property.
  case valuesBreakRule(
    entity: String, property: String, ValidationRule, AttributeType, count: Int, of: Int,
    examples: [String])
  /// Another coder has written the bytes.
  case otherCoder(entity: String, property: String, from: String, to: String, count: Int, of: Int)
  /// Objects have the same values of properties that should be unique: up to five groups.
  case duplicates(entity: String, properties: [String], groups: [String], isMore: Bool)
  /// Objects exist of an entity that is now abstract.
  case abstractObjects(entity: String, count: Int)
  /// Both ends of a relationship become to-one, and some objects have several partners.
  case ambiguousPairs(entity: String, property: String, count: Int)
  /// A relationship becomes its own inverse, and objects have destinations that do not lead back.
  case oneSidedPairs(entity: String, property: String, count: Int)
  /// References would lead nowhere.
  case brokenReferences(table: String, count: Int)
  /// An object that a user has created in the file does not fit the new tables, or has a name that they need.
  case inTheWay(kind: String, name: String, detail: String)
  /// The file is of a later version than the current one.
  case newerVersion(version: String?, current: String?)
  /// Several steps are needed, which is not allowed: with all versions, from that of the file on.
  case severalSteps([String])
  /// The closure of a mapping has failed for an object, or its result cannot be saved.
  case transformationFailed(entity: String, key: RowKey?, reason: String)
  /// A statement of a mapping has failed.
  case statementFailed(sql: String, reason: String)
  /// The disk has not enough space.
  case notEnoughSpace(folder: String, bytes: Int, free: Int, hasCopy: Bool)
  /// The number of copied rows differs from that of the original ones.
  case rowCount(entity: String, count: Int, of: Int)
}

extension MigrationObstacle: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    switch self {
    case .notAllowed(let changes):
      return "\(Self.list(changes)); open it with that version, or allow it to be migrated"
    case .touchesRows(let changes):
      return "\(Self.list(changes)); that writes rows, which takes time: open it with "
        + "`try await SwiftDatastore.open(…)`, or pass `migration: .lossless`"
    case .loss(let loss):
      return "\(loss); if that is meant, declare it with `removes: [\"\(loss.name)\"]` "
        + "in the version of the model, or with `migration: .declared([\"\(loss.name)\"])`"
    case .missingValues(let entity, let property, let count, let total):
      return "\(Self.share(count, total, entity)) no \(property); give it a default value or an "
        + "`initial:` closure, or leave it optional"
    case .valuesDoNotFit(let entity, let property, let type, let count, let total, let examples):
      return "\(Self.share(count, total, entity)) a \(property) that does not fit "
        + "\(type.rawValue)\(MigrationText.examples(examples)); correct "
        + "\(count == 1 ? "it" : "them") first"
    case .valuesBreakRule(
      let entity, let property, let rule, let type, let count, let total, let examples):
      return "\(Self.share(count, total, entity)) a \(property) that breaks its rule: it must "
        + "\(rule.demand(of: type))\(MigrationText.examples(examples)); correct "
        + "\(count == 1 ? "it" : "them") first, or leave the rule out"
    case .otherCoder(let entity, let property, let from, let to, let count, let total):
      return
        "\(Self.share(count, total, entity)) a \(property) that was written by the coder “\(from)”, "
        + "which “\(to)” cannot read; make the objects by a mapping (`transformEntity`) between two "
        + "versions, or keep the coder"
    case .duplicates(let entity, let properties, let groups, let isMore):
      return "\(entity).\(properties.joined(separator: ", ")) is to be unique, but several have "
        + groups.map { "“\($0)”" }.joined(separator: ", ") + (isMore ? " and others" : "")
    case .abstractObjects(let entity, let count):
      return "\(CountText.counted(count, entity)) \(count == 1 ? "is" : "are") of none of its "
        + "children, and \(entity) is abstract; delete them, or leave it concrete"
    case .ambiguousPairs(let entity, let property, let count):
      return "\(CountText.counted(count, entity)) \(count == 1 ? "leads" : "lead") to several "
        + "objects by \(property), which is to be one to one; take the others out first"
    case .oneSidedPairs(let entity, let property, let count):
      return "\(CountText.counted(count, entity)) \(count == 1 ? "leads" : "lead") by "
        + "\(property), which is to be symmetric, to objects that do not lead back; link both ends, or neither, first"
    case .brokenReferences(let table, let count):
      return "\(CountText.counted(count, "reference")) in "
        + "\(table) would lead to objects that do not exist"
    case .inTheWay(let kind, let name, let detail):
      return "the \(kind) “\(name)” is in the way: \(detail)"
    case .newerVersion(let version, let current):
      let name = version.map { "the version “\($0)”" } ?? "a version"
      let own = current.map { "“\($0)”" } ?? "the one"
      return
        "it is of \(name), which comes after \(own) of this program; open it with a newer version "
        + "of the program" + (current == nil ? ", or name the version of this model" : "")
    case .severalSteps(let versions):
      return "it would take several steps ("
        + versions.map { "“\($0)”" }.joined(separator: ", ")
        + "), which `preventProgressiveMigration` does not allow"
    case .transformationFailed(let entity, let key, let reason):
      let object = key.map { "\(entity) \($0)" } ?? "objects of \(entity)"
      return "the mapping of \(object) failed: \(reason)"
    case .statementFailed(let sql, let reason):
      return "the statement “\(sql)” failed: \(reason)"
    case .notEnoughSpace(let folder, let bytes, let free, let hasCopy):
      return "\(CountText.bytes(free)) are free in \(folder), and at least "
        + "\(CountText.bytes(bytes)) are needed; make room"
        + (hasCopy ? ", or have the copy of the old file kept elsewhere" : "")
    case .rowCount(let entity, let count, let total):
      return
        "\(CountText.grouped(count)) of \(CountText.counted(total, entity)) were copied, so "
        + "all of it was rolled back"
    }
  }

  private static func list(_ changes: [SchemaChange]) -> String {
    let shown = changes.prefix(8).map(\.description).joined(separator: "; ")
    let rest = changes.count - 8
    return rest > 0 ? "\(shown); and \(rest) more" : shown
  }

  private static func share(_ count: Int, _ total: Int, _ entity: String) -> String {
    "\(CountText.grouped(count)) of \(CountText.counted(total, entity)) "
      + (count == 1 ? "has" : "have")
  }
}
