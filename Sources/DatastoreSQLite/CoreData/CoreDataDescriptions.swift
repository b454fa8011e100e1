import Basics
import DatastoreCore
import DatastoreSQL

/// The context for descriptions of a model's entities: the model alone, or with the tables of a store.
protocol CoreDataPlaces {
  /// Parents before children.
  var entities: [CoreDataModel.Entity] { get }
  var byName: [String: CoreDataModel.Entity] { get }
  /// Whether a property that an entity declares is stored.
  func hasPlace(for property: String, of entity: CoreDataModel.Entity) -> Bool
  func isIndexed(_ attribute: CoreDataModel.Attribute, of entity: CoreDataModel.Entity) -> Bool
  /// Whether the order of a relationship's members is stored.
  func keepsOrder(of relationship: String, of entity: CoreDataModel.Entity) -> Bool
}

extension CoreDataPlaces {
  /// The entity that declares a relationship of an entity, which may be inherited.
  func declaring(
    _ name: String, in entity: String
  ) -> (entity: CoreDataModel.Entity, relationship: CoreDataModel.Relationship)? {
    var next = byName[entity]
    while let entity = next {
      if let relationship = entity.relationships.first(where: { $0.name == name }) {
        return (entity, relationship)
      }
      next = entity.parent.flatMap { byName[$0] }
    }
    return nil
  }
}

/// The entities of a Core Data model as entity descriptions.
///
/// Names are those of the model. As everywhere, the properties of a parent come first; an entity's own are
/// ordered by name, attributes first, because a model has no order.
struct CoreDataDescriptions {
  private(set) var all: [EntityDescription] = []
  private let places: any CoreDataPlaces

  init(_ places: any CoreDataPlaces) {
    self.places = places
    var byName: [String: EntityDescription] = [:]
    let parents = Set(places.entities.compactMap(\.parent))
    for entity in places.entities {
      byName[entity.name] = description(
        of: entity, parent: entity.parent.flatMap { byName[$0] },
        hasHeirs: parents.contains(entity.name))
    }
    all = byName.values.sorted { $0.name < $1.name }
  }

  private func description(
    of entity: CoreDataModel.Entity, parent: EntityDescription?, hasHeirs: Bool
  ) -> EntityDescription {
    var properties = parent?.properties ?? []
    var names = Set(properties.map(\.name))
    for attribute in entity.attributes where places.hasPlace(for: attribute.name, of: entity) {
      guard names.insert(attribute.name).inserted else { continue }
      properties.append(
        .attribute(
          AttributeDescription(
            name: attribute.name, type: attribute.type.type, isOptional: attribute.isOptional,
            defaultValue: attribute.defaultValue,
            isIndexed: places.isIndexed(attribute, of: entity),
            renamedFrom: attribute.renamedFrom, cases: attribute.cases, rules: attribute.rules)))
    }
    for relationship in entity.relationships
    where places.hasPlace(for: relationship.name, of: entity) {
      guard places.byName[relationship.destination] != nil,
        names.insert(relationship.name).inserted
      else { continue }
      properties.append(.relationship(description(of: relationship, in: entity)))
    }
    let inherited = Set(parent?.uniqueness ?? [])
    return EntityDescription(
      name: entity.name, properties: properties,
      uniqueness: entity.uniqueness.filter { !inherited.contains($0) && names.isSuperset(of: $0) },
      parent: parent?.name,
      isAbstract: entity.isAbstract && hasHeirs, renamedFrom: entity.renamedFrom,
      indexes: entity.indexes.filter { names.isSuperset(of: $0.columns.map(\.property)) })
  }

  private func description(
    of relationship: CoreDataModel.Relationship, in entity: CoreDataModel.Entity
  ) -> RelationshipDescription {
    let isPossible =
      relationship.minimumCount >= 0
      && (relationship.maximumCount == 0 || relationship.maximumCount >= relationship.minimumCount)
    let counts =
      relationship.isToMany && isPossible
      ? (relationship.minimumCount, relationship.maximumCount) : (0, 0)
    let isOrdered =
      relationship.isOrdered && places.keepsOrder(of: relationship.name, of: entity)
    return RelationshipDescription(
      name: relationship.name,
      kind: !relationship.isToMany ? .toOne : isOrdered ? .orderedToMany : .toMany,
      destination: relationship.destination, inverse: inverse(of: relationship, in: entity),
      deleteRule: relationship.deleteRule, minimumCount: counts.0, maximumCount: counts.1,
      renamedFrom: relationship.renamedFrom, isOptional: relationship.isOptional)
  }

  /// The name of the inverse, if both sides lead to each other and are stored. Core Data also allows inverses
  /// that lead to a descendant of the entity that declares them.
  private func inverse(
    of relationship: CoreDataModel.Relationship, in entity: CoreDataModel.Entity
  ) -> String? {
    guard let name = relationship.inverse,
      let (owner, inverse) = places.declaring(name, in: relationship.destination),
      owner.name == relationship.destination, inverse.destination == entity.name,
      inverse.inverse == relationship.name, places.hasPlace(for: name, of: owner)
    else { return nil }
    return name
  }
}
