package import DatastoreCore

/// An attribute of an entity.
package func attribute(
  _ name: String, _ type: AttributeType = .string, isOptional: Bool = true,
  default value: Value = .null, isIndexed: Bool = false, isUnique: Bool = false,
  from former: String? = nil
) -> PropertyDescription {
  .attribute(
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, defaultValue: value, isIndexed: isIndexed,
      isUnique: isUnique, renamedFrom: former))
}

/// A relationship of an entity.
package func relationship(
  _ name: String, _ kind: RelationshipKind, _ destination: String, _ inverse: String? = nil,
  rule: DeleteRule = .nullify, from former: String? = nil
) -> PropertyDescription {
  .relationship(
    RelationshipDescription(
      name: name, kind: kind, destination: destination, inverse: inverse, deleteRule: rule,
      renamedFrom: former))
}

/// An entity.
package func entity(
  _ name: String, parent: String? = nil, isAbstract: Bool = false, from former: String? = nil,
  uniqueness: [[String]] = [], _ properties: PropertyDescription...
) -> EntityDescription {
  EntityDescription(
    name: name, properties: properties, uniqueness: uniqueness, parent: parent,
    isAbstract: isAbstract, renamedFrom: former)
}
