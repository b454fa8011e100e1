import DatastoreCore

/// Reading the model from Core Data's archive.
extension CoreDataModel {
  /// The greatest size of a model's archive: the greatest known have 3 MB.
  package static let mostBytes = 64 << 20

  /// Reads the content of `Z_MODELCACHE`: an archive, compressed.
  ///
  /// - Throws: `CoreDataModelFault`.
  init(compressed bytes: [UInt8]) throws {
    try self.init(archive: RawInflation.inflated(bytes, limit: Self.mostBytes))
  }

  /// Reads an archive as in a `.mom` file.
  ///
  /// - Throws: `CoreDataModelFault`.
  package init(archive bytes: [UInt8]) throws {
    let root = try KeyedArchive(bytes).root()
    let found = try root.member("NSEntities")?.entries() ?? []
    self.init(
      entities: try found.compactMap { try Entity($0.value) }.sorted { $0.name < $1.name })
    if entities.isEmpty { throw CoreDataModelFault.notAnArchive }
    try requireUsable()
  }

  /// The greatest numbers of entities and properties that are read. Known models have 90, and 100 each.
  private static let most = (entities: 2_000, properties: 50_000, generations: 50)

  /// - Throws: `CoreDataModelFault` for a model that no program has, and that other code could not handle.
  func requireUsable() throws {
    let byName = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    guard byName.count == entities.count else {
      throw CoreDataModelFault(reason: "two of its entities have the same name")
    }
    let count = entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard entities.count <= Self.most.entities, count <= Self.most.properties else {
      throw CoreDataModelFault.tooGreat
    }
    for entity in entities {
      var names: Set<String> = []
      var generations = 0
      var next: Entity? = entity
      while let ancestor = next {
        for name in ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name) {
          guard names.insert(name).inserted else {
            throw CoreDataModelFault(reason: "two properties of \(entity.name) have the same name")
          }
        }
        generations += 1
        if generations > Self.most.generations { throw CoreDataModelFault.tooGreat }
        next = ancestor.parent.flatMap { byName[$0] }
      }
    }
  }
}

extension CoreDataModel.Entity {
  fileprivate init?(_ object: ArchivedObject) throws {
    guard let name = try object.member("NSEntityName")?.text(), !name.isEmpty else { return nil }
    let parent = try object.member("NSSuperentity")
    self.init(name: name, parent: try parent?.member("NSEntityName")?.text())
    isAbstract = try object.member("NSIsAbstract")?.flag() ?? false
    renamedFrom = try object.formerName(of: name)
    indexes =
      try object.member("NSCompoundIndexes")?.elements().map { index in
        try index.elements().compactMap { try $0.text() ?? $0.member("NSPropertyName")?.text() }
      }.filter { $0.count > 1 }.map { IndexDescription($0.map { .init($0) }) } ?? []
    // The properties of an entity include inherited ones.
    let inherited = Set(try parent?.member("NSProperties")?.entries().map(\.key) ?? [])
    for (key, value) in try object.member("NSProperties")?.entries() ?? []
    where !inherited.contains(key) {
      try add(value)
    }
    attributes.sort { $0.name < $1.name }
    relationships.sort { $0.name < $1.name }
    fetchedProperties.sort()
    uniqueness =
      try object.member("NSUniqueTuples")?.elements().map { tuple in
        try tuple.elements().compactMap { try $0.text() ?? $0.member("NSPropertyName")?.text() }
      }.filter { !$0.isEmpty } ?? []
  }

  private mutating func add(_ object: ArchivedObject) throws {
    var object = object
    var kinds = try object.classNames()
    // The placeholder of a property of another entity leads to it.
    while kinds.contains("_NSPropertyDescriptionProxy"),
      let property = try object.member("NSUnderlyingProperty")
    {
      object = property
      kinds = try object.classNames()
    }
    guard let name = try object.member("NSPropertyName")?.text(), !name.isEmpty else { return }
    if kinds.contains("NSRelationshipDescription") {
      if let relationship = try CoreDataModel.Relationship(object, name: name) {
        relationships.append(relationship)
      }
    } else if kinds.contains("NSFetchedPropertyDescription") {
      fetchedProperties.append(name)
    } else if kinds.contains("NSAttributeDescription")
      || kinds.contains("NSDerivedAttributeDescription")
    {
      attributes.append(try CoreDataModel.Attribute(object, name: name))
    }
  }
}

extension CoreDataModel.Attribute {
  fileprivate init(_ object: ArchivedObject, name: String) throws {
    let number = try object.member("NSAttributeType")?.integer() ?? 0
    self.init(name: name, type: CoreDataModel.AttributeKind(rawValue: number) ?? .undefined)
    isOptional = try object.member("NSIsOptional")?.flag() ?? true
    isTransient = try object.member("NSIsTransient")?.flag() ?? false
    mayBeExternal = try (object.member("NSFlagsKey")?.integer() ?? 0) & 4 != 0
    isIndexed = try object.member("NSIsIndexed")?.flag() ?? false
    renamedFrom = try object.formerName(of: name)
    transformer = try object.member("NSValueTransformerName")?.text()
    derivation = try object.member("NSDerivationExpression")?.member("NSKeyPath")?.text()
    if let value = try object.member("NSDefaultValue") {
      defaultValue = try Self.value(value, type)
    }
  }

  /// A default in stored form; NULL if it is archived in another form.
  private static func value(
    _ object: ArchivedObject, _ kind: CoreDataModel.AttributeKind
  ) throws -> Value {
    switch kind {
    case .integer16, .integer32, .integer64:
      return try object.integer().map { .integer($0) } ?? .null
    case .boolean: return try object.integer().map { .integer($0 == 0 ? 0 : 1) } ?? .null
    case .double, .float: return try object.real().map { .real($0) } ?? .null
    case .decimal:
      if let integer = try object.integer() { return .integer(integer) }
      return try object.real().map { .real($0) } ?? .null
    case .string: return try object.text().map { .text($0) } ?? .null
    case .date: return try object.date().map { .real($0) } ?? .null
    case .undefined, .binary, .uuid, .uri, .transformable, .objectID, .composite: return .null
    }
  }
}

extension CoreDataModel.Relationship {
  fileprivate init?(_ object: ArchivedObject, name: String) throws {
    guard let destination = try object.member("_NSDestinationEntityName")?.text() else {
      return nil
    }
    self.init(name: name, destination: destination)
    inverse = try object.member("_NSInverseRelationshipName")?.text()
    isOptional = try object.member("NSIsOptional")?.flag() ?? true
    isTransient = try object.member("NSIsTransient")?.flag() ?? false
    isOrdered = try object.member("NSIsOrdered")?.flag() ?? false
    minimumCount = Int(clamping: try object.member("NSMinCount")?.integer() ?? 0)
    maximumCount = Int(clamping: try object.member("NSMaxCount")?.integer() ?? 0)
    isToMany = maximumCount != 1
    renamedFrom = try object.formerName(of: name)
    switch try object.member("NSDeleteRule")?.integer() ?? 1 {
    case 0: deleteRule = .noAction
    case 2: deleteRule = .cascade
    case 3: deleteRule = .deny
    default: deleteRule = .nullify
    }
  }
}

extension ArchivedObject {
  /// The name of an entity or a property in an older version, if it differs.
  fileprivate func formerName(of name: String) throws -> String? {
    guard let former = try member("NSRenamingIdentifier")?.text(), !former.isEmpty, former != name
    else { return nil }
    return former
  }
}
