/// One difference of a newer schema from an older one, in the newer names if there are any.
@nonexhaustive
public enum SchemaChange: Sendable, Hashable {
  case entityAdded(String)
  case entityRemoved(String)
  case entityRenamed(from: String, to: String)
  /// The parent entity was changed, added or removed.
  case parentChanged(entity: String, from: String?, to: String?)
  case abstractnessChanged(entity: String, isAbstract: Bool)
  case attributeAdded(entity: String, property: String, AddedValue)
  case relationshipAdded(entity: String, property: String)
  case propertyRemoved(entity: String, property: String)
  case propertyRenamed(entity: String, from: String, to: String)
  case typeChanged(entity: String, property: String, from: AttributeType, to: AttributeType)
  case becameOptional(entity: String, property: String)
  /// With whether a default value replaces missing ones.
  case becameRequired(entity: String, property: String, hasDefault: Bool)
  case becameUnique(entity: String, properties: [String])
  case noLongerUnique(entity: String, properties: [String])
  case indexChanged(entity: String, property: String, isIndexed: Bool)
  case wordIndexChanged(entity: String, property: String, isSearchable: Bool)
  case kindChanged(
    entity: String, property: String, from: RelationshipKind, to: RelationshipKind)
  case destinationChanged(entity: String, property: String, from: String, to: String)
  case inverseChanged(entity: String, property: String, from: String?, to: String?)
  /// A rule that becomes a constraint of the column: stored values must satisfy it.
  case ruleAdded(entity: String, property: String, ValidationRule, AttributeType)
  /// A rule that is no longer a constraint of the column.
  case ruleRemoved(entity: String, property: String, ValidationRule, AttributeType)
  /// The coder of a `Codable` type; only a mapping can convert the stored bytes.
  case coderChanged(entity: String, property: String, from: String, to: String)
  /// Default values, delete rules, counts or cases: they affect later changes and not stored data.
  case rulesChanged(entity: String, property: String)
  /// A custom mapping makes its objects from those of other entities.
  case transformed(entity: String, from: [String])

  /// The value of a new attribute in existing objects.
  public enum AddedValue: Sendable, Hashable {
    /// None: it is optional.
    case none
    /// Its default value.
    case defaultValue
    /// The result of its closure for each object.
    case initial
    /// It is required, and has no default value.
    case missing
  }
}

extension SchemaChange {
  /// Its cost, as far as the schemas show. Changes that a file can make without touching rows, or that affect
  /// no data, cost less.
  public var kind: MigrationKind {
    switch self {
    case .rulesChanged, .inverseChanged: .metadata
    case .entityAdded, .entityRenamed, .relationshipAdded, .propertyRenamed, .indexChanged,
      .wordIndexChanged, .noLongerUnique:
      .instant
    case .attributeAdded(_, _, let value):
      switch value {
      case .none: .instant
      case .defaultValue, .initial: .lossless
      case .missing: .checked
      }
    case .parentChanged, .becameOptional, .destinationChanged, .transformed: .lossless
    case .abstractnessChanged(_, let isAbstract): isAbstract ? .checked : .lossless
    case .becameRequired, .becameUnique, .ruleAdded, .coderChanged: .checked
    case .ruleRemoved: .lossless
    case .typeChanged(_, _, let from, let to):
      switch AttributeConversion(from: from, to: to).kind {
      case .identity: .metadata
      case .lossless: .lossless
      case .checked, .impossible: .checked
      }
    case .kindChanged(_, _, let from, let to):
      switch (from, to) {
      case (.toMany, .orderedToMany): .instant
      case (.toOne, _): .lossless
      default: .loss
      }
    case .entityRemoved, .propertyRemoved: .loss
    }
  }

  /// The changed entity.
  public var entity: String {
    switch self {
    case .entityAdded(let entity), .entityRemoved(let entity), .entityRenamed(_, let entity),
      .parentChanged(let entity, _, _), .abstractnessChanged(let entity, _),
      .attributeAdded(let entity, _, _), .relationshipAdded(let entity, _),
      .propertyRemoved(let entity, _), .propertyRenamed(let entity, _, _),
      .typeChanged(let entity, _, _, _), .becameOptional(let entity, _),
      .becameRequired(let entity, _, _), .becameUnique(let entity, _),
      .noLongerUnique(let entity, _), .indexChanged(let entity, _, _),
      .wordIndexChanged(let entity, _, _), .kindChanged(let entity, _, _, _),
      .destinationChanged(let entity, _, _, _),
      .inverseChanged(let entity, _, _, _), .rulesChanged(let entity, _),
      .ruleAdded(let entity, _, _, _), .ruleRemoved(let entity, _, _, _),
      .coderChanged(let entity, _, _, _),
      .transformed(let entity, _):
      entity
    }
  }

  /// The changed property; nil for a change of an entity.
  public var property: String? {
    switch self {
    case .entityAdded, .entityRemoved, .entityRenamed, .parentChanged, .abstractnessChanged,
      .transformed:
      nil
    case .attributeAdded(_, let property, _), .relationshipAdded(_, let property),
      .propertyRemoved(_, let property), .propertyRenamed(_, _, let property),
      .typeChanged(_, let property, _, _), .becameOptional(_, let property),
      .becameRequired(_, let property, _), .indexChanged(_, let property, _),
      .wordIndexChanged(_, let property, _), .kindChanged(_, let property, _, _),
      .destinationChanged(_, let property, _, _),
      .inverseChanged(_, let property, _, _), .rulesChanged(_, let property),
      .ruleAdded(_, let property, _, _), .ruleRemoved(_, let property, _, _),
      .coderChanged(_, let property, _, _):
      property
    case .becameUnique(_, let properties), .noLongerUnique(_, let properties):
      properties.joined(separator: ", ")
    }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// A sentence without its full stop.
  public var description: String {
    switch self {
    case .entityAdded(let entity): "\(entity) is new"
    case .entityRemoved(let entity): "\(entity) is removed"
    case .entityRenamed(let from, let to): "\(from) becomes \(to)"
    case .parentChanged(let entity, let from, let to):
      switch (from, to) {
      case (_, let to?): "\(entity) inherits from \(to)"
      case (let from?, nil): "\(entity) no longer inherits from \(from)"
      case (nil, nil): "\(entity) inherits as before"
      }
    case .abstractnessChanged(let entity, let isAbstract):
      "\(entity) becomes \(isAbstract ? "abstract" : "concrete")"
    case .attributeAdded(let entity, let property, let value):
      switch value {
      case .none: "\(entity).\(property) is new"
      case .defaultValue: "\(entity).\(property) is new, with its default value"
      case .initial: "\(entity).\(property) is new, with an initial value for each object"
      case .missing: "\(entity).\(property) is new and required"
      }
    case .relationshipAdded(let entity, let property): "\(entity).\(property) is new"
    case .propertyRemoved(let entity, let property): "\(entity).\(property) is removed"
    case .propertyRenamed(let entity, let from, let to):
      "\(entity).\(from) becomes \(entity).\(to)"
    case .typeChanged(let entity, let property, let from, let to):
      "\(entity).\(property) changes from \(from.rawValue) to \(to.rawValue)"
    case .becameOptional(let entity, let property): "\(entity).\(property) becomes optional"
    case .becameRequired(let entity, let property, let hasDefault):
      "\(entity).\(property) becomes required"
        + (hasDefault ? ", and its default fills missing values" : "")
    case .becameUnique(let entity, let properties):
      "\(entity).\(properties.joined(separator: ", ")) becomes unique"
    case .noLongerUnique(let entity, let properties):
      "\(entity).\(properties.joined(separator: ", ")) is no longer unique"
    case .indexChanged(let entity, let property, let isIndexed):
      "\(entity).\(property) \(isIndexed ? "gets an index" : "loses its index")"
    case .wordIndexChanged(let entity, let property, let isSearchable):
      "\(entity).\(property) \(isSearchable ? "gets an index of its words" : "loses the index of its words")"
    case .kindChanged(let entity, let property, let from, let to):
      "\(entity).\(property) changes from \(from.words) to \(to.words)"
    case .destinationChanged(let entity, let property, let from, let to):
      "\(entity).\(property) leads to \(to), not \(from)"
    case .inverseChanged(let entity, let property, _, let to):
      to.map { "\(entity).\(property) has the inverse \($0)" }
        ?? "\(entity).\(property) has no inverse any more"
    case .ruleAdded(let entity, let property, let rule, let type):
      "\(entity).\(property) must \(rule.demand(of: type))"
    case .ruleRemoved(let entity, let property, let rule, let type):
      "\(entity).\(property) need not \(rule.demand(of: type)) any more"
    case .coderChanged(let entity, let property, let from, let to):
      "\(entity).\(property) changes its coder from \(from) to \(to)"
    case .rulesChanged(let entity, let property): "rules of \(entity).\(property) change"
    case .transformed(let entity, let sources):
      "\(entity) is made by a mapping"
        + (sources.isEmpty ? "" : " from " + sources.joined(separator: ", "))
    }
  }
}

extension RelationshipKind {
  fileprivate var words: String {
    switch self {
    case .toOne: "to-one"
    case .toMany: "to-many"
    case .orderedToMany: "ordered to-many"
    }
  }
}
