import DatastoreCore

/// The model as Core Data archives it.
extension CoreDataSample {
  /// The archive: the content of a `.mom` file, and of `Z_MODELCACHE` when compressed.
  package func archivedModel() -> [UInt8] {
    var archive = ModelArchive(self)
    return archive.bytes()
  }
}

private struct ModelArchive {
  let sample: CoreDataSample
  var writer = KeyedArchiveWriter()
  var places: [String: Int] = [:]
  /// By entity and property.
  var properties: [String: [(String, Int)]] = [:]

  init(_ sample: CoreDataSample) {
    self.sample = sample
    for entity in sample.entities { places[entity.name] = writer.reserve() }
  }

  mutating func bytes() -> [UInt8] {
    for entity in sample.inheritanceOrder { add(entity) }
    let entries = sample.entities.map { ($0.name, places[$0.name] ?? 0) }
    let model = writer.object(
      ["NSManagedObjectModel"],
      [
        ("NSEntities", .object(dictionary(entries))),
        ("NSVersionIdentifiers", .object(writer.array([writer.text("")]))),
      ])
    return writer.archive(root: model)
  }

  private mutating func dictionary(_ entries: [(String, Int)]) -> Int {
    switch sample.writing {
    case .plain: writer.dictionary(entries)
    case .withProxies: writer.knownKeysDictionary(entries)
    }
  }

  private mutating func add(_ entity: CoreDataSample.Entity) {
    var inherited = entity.parent.flatMap { properties[$0] } ?? []
    if case .withProxies = sample.writing {
      inherited = inherited.map { name, place in
        (
          name,
          writer.object(
            ["_NSPropertyDescriptionProxy", "NSPropertyDescription"],
            [("NSUnderlyingProperty", .object(place))])
        )
      }
    }
    var own = entity.attributes.map { ($0.name, add($0)) }
    own += entity.relationships.map { ($0.name, add($0)) }
    own += entity.fetchedProperties.map { name in
      (
        name,
        writer.object(
          ["NSFetchedPropertyDescription", "NSPropertyDescription"],
          [("NSPropertyName", .object(writer.text(name)))])
      )
    }
    let all = inherited + own
    properties[entity.name] = all
    let tuples = entity.uniqueness.map { tuple in writer.array(tuple.map { writer.text($0) }) }
    _ = writer.object(
      ["NSEntityDescription"],
      [
        ("NSEntityName", .object(writer.text(entity.name))),
        ("NSClassNameForEntity", .object(writer.text(entity.name))),
        ("NSIsAbstract", .flag(entity.isAbstract)),
        ("NSSuperentity", entity.parent.flatMap { places[$0] }.map { .object($0) } ?? .null),
        (
          "NSSubentities",
          .object(
            dictionary(
              sample.entities.filter { $0.parent == entity.name }.map {
                ($0.name, places[$0.name] ?? 0)
              }))
        ),
        ("NSProperties", .object(dictionary(all))),
        ("NSUniqueTuples", .object(writer.array(tuples))),
      ], at: places[entity.name])
  }

  private mutating func add(_ attribute: CoreDataSample.Attribute) -> Int {
    var members: [(String, KeyedArchiveWriter.Member)] = [
      ("NSPropertyName", .object(name(attribute.name))),
      ("NSAttributeType", .integer(attribute.type.number)),
      ("NSIsOptional", .flag(attribute.isOptional)),
      ("NSIsTransient", .flag(attribute.isTransient)),
      ("NSFlagsKey", .integer(attribute.flags)),
    ]
    if let fallback = attribute.fallback {
      members.append(("NSDefaultValue", .object(writer.value(fallback))))
    }
    guard let derivation = attribute.derivation else {
      return writer.object(["NSAttributeDescription", "NSPropertyDescription"], members)
    }
    let expression = writer.object(
      ["NSKeyPathExpression", "NSExpression"],
      [("NSKeyPath", .object(writer.text(derivation)))])
    members.append(("NSDerivationExpression", .object(expression)))
    return writer.object(
      ["NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription"],
      members)
  }

  private mutating func add(_ relationship: CoreDataSample.Relationship) -> Int {
    writer.object(
      ["NSRelationshipDescription", "NSPropertyDescription"],
      [
        ("NSPropertyName", .object(name(relationship.name))),
        ("_NSDestinationEntityName", .object(writer.text(relationship.destination))),
        (
          "_NSInverseRelationshipName",
          relationship.inverse.map { .object(writer.text($0)) } ?? .null
        ),
        ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(relationship.isToMany ? 0 : 1)),
        ("NSIsOrdered", .flag(relationship.isOrdered)),
        ("NSIsOptional", .flag(relationship.isOptional)), ("NSIsTransient", .flag(false)),
        ("NSDeleteRule", .integer(relationship.deleteRule)),
      ])
  }

  /// A name, in one of the forms in which they come.
  private mutating func name(_ name: String) -> Int {
    guard case .withProxies = sample.writing else { return writer.text(name) }
    return writer.object(
      ["NSMutableString", "NSString"], [("NS.string", .object(writer.text(name)))])
  }
}

extension CoreDataSample {
  /// Parents before children.
  var inheritanceOrder: [Entity] {
    var ordered: [Entity] = []
    var open = entities.filter { $0.parent == nil }
    while let entity = open.popLast() {
      ordered.append(entity)
      open += entities.filter { $0.parent == entity.name }
    }
    return ordered
  }
}
