/// One attribute of an entity, as a value.
public struct AttributeDescription: Sendable, Hashable, Codable {
  /// The name; the column's in native files.
  public var name: String
  /// The type of its values, which determines how they are stored.
  public var type: AttributeType
  /// Whether an object can be saved while the value is NULL.
  public var isOptional: Bool
  /// The value a new object starts with.
  public var defaultValue: Value
  /// Whether the store keeps an index on it.
  public var isIndexed: Bool
  /// Whether no two objects may have the same value; missing values do not count.
  public var isUnique: Bool
  /// The name this attribute had in an older version of the model.
  public var renamedFrom: String?
  /// The name in the file, if it differs.
  public var storedName: String?
  /// The name in the file: its own, unless the model gives another.
  public var nameInFile: String { storedName ?? name }
  /// A text that is part of its entity's version: it changes when only the meaning of its values has changed.
  public var hashModifier: String?
  /// Whether it cannot be assigned: computed by the file (generated columns) or part of a read-only entity.
  public var isReadOnly: Bool
  /// The column's type as a third-party file declares it, for display.
  public var declaredType: String?
  /// The cases of an enum, if the model lists them (`CaseIterable`), for editors. Not part of what a file
  /// must agree with.
  public var cases: [EnumCase]?
  /// Rules for its values, besides their type.
  public var rules: [ValidationRule] {
    get { validation ?? [] }
    set { validation = newValue.isEmpty ? nil : newValue }
  }
  /// Whether the store keeps an index of its words for `SEARCH`; texts only. Not part of what a file must
  /// agree with.
  public var isSearchable: Bool {
    get { keepsWords ?? false }
    set { keepsWords = newValue ? true : nil }
  }
  /// nil for false, so that files from before this option can be decoded.
  private var keepsWords: Bool?
  /// nil for none, so that files from before this option can be decoded.
  private var validation: [ValidationRule]?
  /// The coder of a `Codable` type, if it is not JSON; see `AttributeCoder`.
  public var coder: String?
  /// How a column of a third-party file stores dates, as indicated by its name and values, or by the user.
  package var dateConvention: DateConvention?
  /// The cases of an enum of numbers, by raw value, in the order of the model. Texts need no names.
  package var numberedCases: [(raw: Int64, name: String)] {
    (cases ?? []).compactMap { entry in
      if case .integer(let raw) = entry.value { (raw, entry.name) } else { nil }
    }
  }

  /// A description; `Schema.init(_:)` checks it together with the others.
  public init(
    name: String, type: AttributeType, isOptional: Bool = true, defaultValue: Value = .null,
    isIndexed: Bool = false, isUnique: Bool = false, renamedFrom: String? = nil,
    isReadOnly: Bool = false, declaredType: String? = nil, cases: [EnumCase]? = nil,
    storedName: String? = nil, hashModifier: String? = nil, rules: [ValidationRule] = [],
    coder: String? = nil, isSearchable: Bool = false
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.isIndexed = isIndexed
    self.isUnique = isUnique
    self.renamedFrom = renamedFrom
    self.isReadOnly = isReadOnly
    self.declaredType = declaredType
    self.cases = cases
    self.storedName = storedName == name ? nil : storedName
    self.hashModifier = hashModifier
    validation = rules.isEmpty ? nil : rules
    keepsWords = isSearchable ? true : nil
    self.coder = coder
  }
}

/// One case of an enum, and the raw value by which it is stored.
public struct EnumCase: Sendable, Hashable, Codable {
  /// The name of the case.
  public var name: String
  /// Its raw value.
  public var value: Value

  /// A case.
  public init(name: String, value: Value) {
    self.name = name
    self.value = value
  }
}

/// The number of objects that a relationship leads to, and whether they are ordered.
public enum RelationshipKind: String, Sendable, Hashable, Codable {
  /// One object or none.
  case toOne
  /// Any number of objects, without an order.
  case toMany
  /// Any number of objects, in a stored order.
  case orderedToMany

  /// Whether it leads to a collection.
  public var isToMany: Bool { self != .toOne }
}

/// The effect on the destination when the owner of a relationship is deleted.
public enum DeleteRule: String, Sendable, Hashable, Codable {
  /// The destination's reference to the deleted object is cleared.
  case nullify
  /// The destination is deleted, too.
  case cascade
  /// The owner cannot be deleted while the relationship has any destination.
  case deny
  /// No effect: the destination keeps its reference.
  case noAction
}

extension DeleteRule {
  /// Whether the destinations are deleted with the owner.
  package var deletesDestinations: Bool {
    switch self {
    case .cascade: true
    case .nullify, .deny, .noAction: false
    }
  }

  /// Whether destinations keep a reference to an owner that is deleted.
  package var keepsReferences: Bool {
    switch self {
    case .noAction: true
    case .nullify, .cascade, .deny: false
    }
  }
}

/// One relationship of an entity, as a value.
public struct RelationshipDescription: Sendable, Hashable, Codable {
  /// The name.
  public var name: String
  /// The number of objects it leads to, and whether they are ordered.
  public var kind: RelationshipKind
  /// The name of the entity it leads to.
  public var destination: String
  /// The name of the relationship that leads back, if there is one.
  public var inverse: String?
  /// The effect on the destination when its owner is deleted.
  public var deleteRule: DeleteRule
  /// Whether a to-one relationship may be empty when its owner is saved. To-many relationships always may.
  public var isOptional: Bool {
    get { !(isMandatory ?? false) }
    set { isMandatory = newValue ? nil : true }
  }
  /// nil for false, so that files from before this option can be decoded.
  private var isMandatory: Bool?
  /// The least number of objects in a non-empty to-many when saved; 0 means no limit.
  public var minimumCount: Int
  /// The greatest number of objects in a to-many when saved; 0 means no limit.
  public var maximumCount: Int
  /// The name this relationship had in an older version of the model.
  public var renamedFrom: String?
  /// The name in the file, if it differs.
  public var storedName: String?
  /// The name in the file: its own, unless the model gives another.
  public var nameInFile: String { storedName ?? name }
  /// A text that is part of its entity's version: it changes when only the meaning of the relationship has
  /// changed.
  public var hashModifier: String?
  /// Whether it cannot be assigned (read-only entities, keys that other columns determine).
  public var isReadOnly: Bool
  /// The column of the destination whose value a third-party file stores in one column for a to-one
  /// relationship; nil if the number of the row is stored.
  package var referred: String?

  /// A description; `Schema.init(_:)` checks it together with the others.
  public init(
    name: String, kind: RelationshipKind, destination: String, inverse: String? = nil,
    deleteRule: DeleteRule = .nullify, minimumCount: Int = 0, maximumCount: Int = 0,
    renamedFrom: String? = nil, isReadOnly: Bool = false, storedName: String? = nil,
    hashModifier: String? = nil, isOptional: Bool = true
  ) {
    isMandatory = isOptional || kind.isToMany ? nil : true
    self.name = name
    self.kind = kind
    self.destination = destination
    self.inverse = inverse
    self.deleteRule = deleteRule
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.renamedFrom = renamedFrom
    self.isReadOnly = isReadOnly
    self.storedName = storedName == name ? nil : storedName
    self.hashModifier = hashModifier
  }
}

/// A property of an entity. Its index in `EntityDescription.properties` is its *slot*, the number that rows,
/// changes and typed wrappers use for it.
public enum PropertyDescription: Sendable, Hashable, Codable {
  /// A value in each row.
  case attribute(AttributeDescription)
  /// A reference to other objects.
  case relationship(RelationshipDescription)

  /// The name.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }

  /// The name in the file: its own, unless the model gives another.
  public var nameInFile: String {
    switch self {
    case .attribute(let attribute): attribute.nameInFile
    case .relationship(let relationship): relationship.nameInFile
    }
  }

  /// The attribute, or nil when it is a relationship.
  public var attribute: AttributeDescription? {
    if case .attribute(let attribute) = self { attribute } else { nil }
  }

  /// The relationship, or nil when it is an attribute.
  public var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = self { relationship } else { nil }
  }
}

extension AttributeDescription {
  /// The type in a word: the type of its values, not the one that a file declares.
  package var typeWord: String { type.word }

  /// The type that a file declares, if it is another word.
  package var otherDeclaration: String? {
    declaredType.flatMap { $0.isEmpty || $0.lowercased() == typeWord.lowercased() ? nil : $0 }
  }
}
