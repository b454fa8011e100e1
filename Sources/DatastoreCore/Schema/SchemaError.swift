import Basics

/// A model that cannot work, with every fault that was found in it.
public struct SchemaError: Error, CustomStringConvertible, Equatable {
  /// All faults.
  public let faults: [SchemaFault]

  /// Creates an error from faults.
  public init(faults: [SchemaFault]) {
    self.faults = faults
  }

  public var description: String {
    let list = faults.map { "  - \($0)" }.joined(separator: "\n")
    return "The model has \(faults.count == 1 ? "a fault" : "\(faults.count) faults"):\n\(list)"
  }
}

/// One fault of a model.
@nonexhaustive
public enum SchemaFault: Sendable, Hashable, CustomStringConvertible {
  /// Two entities have the same name.
  case duplicateEntity(String)
  /// Two properties of an entity have the same name.
  case duplicateProperty(entity: String, property: String)
  /// Two properties of an entity have the same name in the file.
  case duplicateStoredName(entity: String, properties: [String], name: String)
  /// An entity, or a property of it, has no name.
  case emptyName(entity: String)
  /// A relationship leads to an entity that is not part of the model.
  case missingDestination(entity: String, relationship: String, destination: String)
  /// The inverse that a relationship names does not exist.
  case missingInverse(entity: String, relationship: String, destination: String, inverse: String)
  /// A relationship and its inverse do not lead to each other.
  case inverseLeadsElsewhere(entity: String, relationship: String, inverse: String)
  /// The default of an attribute changes each time it is evaluated.
  case changingDefault(entity: String, property: String)
  /// An index names a property that the entity does not store in a column.
  case unknownIndexedProperty(entity: String, property: String)
  /// A constraint names a property that the entity does not store.
  case unknownUniqueAttribute(entity: String, attribute: String)
  /// The parent of an entity is not part of the model.
  case missingParent(entity: String, parent: String)
  /// An entity is among its own ancestors.
  case inheritanceCycle(String)
  /// The properties of a child do not begin with those of its parent.
  case notInherited(entity: String, parent: String)
  /// An entity declares a property that it inherits.
  case overriddenProperty(entity: String, property: String, parent: String)
  /// Nothing inherits from an abstract entity.
  case abstractWithoutChildren(String)
  /// Values of the attribute's type cannot keep a rule, or its default breaks it.
  case invalidRule(entity: String, property: String, reason: String)
  /// No index can hold the words of an attribute.
  case notSearchable(entity: String, property: String, reason: String)
  /// A relationship requires more objects than it allows, or a negative number.
  case invalidCounts(entity: String, relationship: String)
  /// A fault in the versions of a model, in words.
  case invalidHistory(String)
  /// A version of a model differs from its lock; with the difference.
  case differsFromLock(version: String?, difference: String)
  /// A fault found while reading the model classes, in words.
  case invalidClass(String)
  /// A configuration names an entity that is not part of the model.
  case unknownConfiguredEntity(configuration: String, entity: String)
  /// A store is to hold the entities of a configuration that the model does not have.
  case unknownConfiguration(String, known: [String])
  /// A relationship leads out of the configuration of its entity, and so into another store.
  case relationshipBetweenStores(
    entity: String, relationship: String, destination: String, configuration: String)
  /// A configuration has an entity without another one in the same table.
  case familyBetweenStores(entity: String, relative: String, configuration: String)

  public var description: String {
    switch self {
    case .duplicateEntity(let entity):
      "The entity “\(entity)” is declared twice; give each class its own `entityName`."
    case .duplicateProperty(let entity, let property):
      "\(entity) declares the property “\(property)” twice; rename one of them."
    case .duplicateStoredName(let entity, let properties, let name):
      "\(properties.map { "\(entity).\($0)" }.joined(separator: " and ")) are both stored as “\(name)”; "
        + "change `named:` of one of them."
    case .emptyName(let entity):
      "\(entity.isEmpty ? "An entity" : entity) has an empty name."
    case .missingDestination(let entity, let relationship, let destination):
      "\(entity).\(relationship) leads to \(destination), which is not part of the model; "
        + "add \(destination) to it."
    case .missingInverse(let entity, let relationship, let destination, let inverse):
      "\(entity).\(relationship) names the inverse \(destination).\(inverse), which does not exist."
    case .inverseLeadsElsewhere(let entity, let relationship, let inverse):
      "\(entity).\(relationship) and its inverse “\(inverse)” do not lead to each other; "
        + "correct the inverse, and name it on one side only."
    case .unknownUniqueAttribute(let entity, let attribute):
      "\(entity) is unique by “\(attribute)”, which is not one of its stored properties."
    case .changingDefault(let entity, let property):
      "The default of \(entity).\(property) is another value each time it is evaluated, so that it cannot be "
        + "the default of all objects; let a closure make the value of each new one: "
        + "`@Attribute.NotOptional(initial: { … }) var \(property)`."
    case .unknownIndexedProperty(let entity, let property):
      "\(entity) has an index on “\(property)”, which is not one of its attributes or to-one relationships."
    case .missingParent(let entity, let parent):
      "\(entity) inherits from \(parent), which is not part of the model; add \(parent) to it."
    case .inheritanceCycle(let entity):
      "\(entity) inherits from itself; break the cycle of parents."
    case .notInherited(let entity, let parent):
      "\(entity) does not have all that it inherits from \(parent); begin its properties with those of "
        + "\(parent), in their order."
    case .overriddenProperty(let entity, let property, let parent):
      "\(entity) declares “\(property)”, which it inherits from \(parent) already; rename one of them."
    case .abstractWithoutChildren(let entity):
      "\(entity) is abstract, but nothing in the model inherits from it, so it can have no objects; add "
        + "a child, or make it concrete."
    case .notSearchable(let entity, let property, let reason):
      "\(entity).\(property) cannot be searchable: \(reason)."
    case .invalidCounts(let entity, let relationship):
      "\(entity).\(relationship) has a minimum count above its maximum count, or a negative one."
    case .invalidRule(let entity, let property, let reason):
      "\(entity).\(property) has a rule in `validate:` that cannot be: \(reason)."
    case .differsFromLock(let version, let difference):
      "\(version.map { "The version “\($0)”" } ?? "The model") differs from its lock: \(difference). Make it "
        + "a new version, or change it back."
    case .invalidClass(let sentence), .invalidHistory(let sentence):
      sentence
    case .unknownConfiguredEntity(let configuration, let entity):
      "The configuration “\(configuration)” names \(entity), which is not part of the model."
    case .unknownConfiguration(let name, let known):
      "The model has no configuration “\(name)”; "
        + (known.isEmpty
          ? "it has none at all." : "it has \(known.map { "“\($0)”" }.joined(separator: ", ")).")
    case .relationshipBetweenStores(let entity, let relationship, let destination, let name):
      "\(entity).\(relationship) leads to \(destination), which is not in the configuration “\(name)”; "
        + "no relationship leads from one store into another, so put both into it."
    case .familyBetweenStores(let entity, let relative, let name):
      "\(entity) is in the configuration “\(name)” without \(relative); one inherits from the other, so "
        + "they share a table. Put both into it."
    }
  }
}

extension SchemaFault {
  /// Every fault of the descriptions, in their order.
  static func all(
    in descriptions: [EntityDescription], indexByName: [String: EntityIndex]
  ) -> [SchemaFault] {
    var faults: [SchemaFault] = []
    for (index, entity) in descriptions.enumerated() {
      if entity.name.isEmpty { faults.append(.emptyName(entity: "")) }
      if indexByName[entity.name]?.rawValue != index {
        faults.append(.duplicateEntity(entity.name))
      }
      let inheritance = inheritanceFaults(of: entity, in: descriptions, indexByName: indexByName)
      faults += inheritance
      faults += propertyFaults(of: entity).filter { fault in
        guard case .duplicateProperty(_, let name) = fault else { return true }
        return !inheritance.contains { $0.isAbout(property: name) }
      }
      // An inherited property is checked once, in the entity that declares it.
      let parent = entity.parent.flatMap { indexByName[$0] }.map { descriptions[$0] }
      let inheritedCount = inheritance.isEmpty ? parent?.properties.count ?? 0 : 0
      for property in entity.properties.dropFirst(inheritedCount) {
        guard let relationship = property.relationship else { continue }
        guard let destination = indexByName[relationship.destination] else {
          faults.append(
            .missingDestination(
              entity: entity.name, relationship: relationship.name,
              destination: relationship.destination))
          continue
        }
        faults += inverseFaults(
          of: relationship, in: entity, destination: descriptions[destination])
      }
    }
    return faults
  }

  private func isAbout(property name: String) -> Bool {
    if case .overriddenProperty(_, let property, _) = self { property == name } else { false }
  }

  private static func propertyFaults(of entity: EntityDescription) -> [SchemaFault] {
    var faults: [SchemaFault] = []
    var names: Set<String> = []
    for property in entity.properties {
      if !names.insert(property.name).inserted {
        faults.append(.duplicateProperty(entity: entity.name, property: property.name))
      }
      if let relationship = property.relationship,
        relationship.minimumCount < 0 || relationship.maximumCount < 0
          || relationship.maximumCount > 0 && relationship.minimumCount > relationship.maximumCount
      {
        faults.append(.invalidCounts(entity: entity.name, relationship: relationship.name))
      }
    }
    for attribute in entity.properties.compactMap(\.attribute) {
      faults += attribute.ruleFaults.map {
        .invalidRule(entity: entity.name, property: attribute.name, reason: $0)
      }
    }
    for attribute in entity.properties.compactMap(\.attribute) where attribute.isSearchable {
      guard let reason = attribute.reasonAgainstSearching else { continue }
      faults.append(
        .notSearchable(entity: entity.name, property: attribute.name, reason: reason))
    }
    var owners: [String: String] = [:]
    for property in entity.properties {
      if property.nameInFile.isEmpty { faults.append(.emptyName(entity: entity.name)) }
      let other = owners.updateValue(property.name, forKey: property.nameInFile.exactKey)
      if let other, other != property.name {
        faults.append(
          .duplicateStoredName(
            entity: entity.name, properties: [other, property.name], name: property.nameInFile))
      }
    }
    for column in entity.indexes.flatMap(\.columns) {
      let property = entity.properties.first { $0.name == column.property }
      if property?.relationship?.kind.isToMany ?? (property == nil) {
        faults.append(.unknownIndexedProperty(entity: entity.name, property: column.property))
      }
    }
    for attribute in entity.uniqueness.joined() where !names.contains(attribute) {
      faults.append(.unknownUniqueAttribute(entity: entity.name, attribute: attribute))
    }
    return faults
  }

  private static func inverseFaults(
    of relationship: RelationshipDescription, in entity: EntityDescription,
    destination: EntityDescription
  ) -> [SchemaFault] {
    guard let inverseName = relationship.inverse else { return [] }
    guard
      let inverse = destination.properties.first(where: { $0.name == inverseName })?.relationship
    else {
      return [
        .missingInverse(
          entity: entity.name, relationship: relationship.name, destination: destination.name,
          inverse: inverseName)
      ]
    }
    guard inverse.destination == entity.name, inverse.inverse == relationship.name else {
      return [
        .inverseLeadsElsewhere(
          entity: entity.name, relationship: relationship.name, inverse: inverseName)
      ]
    }
    return []
  }
}

extension AttributeDescription {
  /// The reason why no index can hold its words: the end of a sentence.
  fileprivate var reasonAgainstSearching: String? {
    if type != .string { return "only texts have words that are searched for" }
    // Names reserved by FTS5.
    guard ["rank", "rowid"].contains(nameInFile.lowercased()) else { return nil }
    return "its name means something else in the index; store it under another one with `named:`"
  }
}
