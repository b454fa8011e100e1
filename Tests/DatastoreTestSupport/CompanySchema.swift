package import DatastoreCore

/// The one model of descriptions for tests: companies, employees, tasks and tags.
///
/// Every kind of relationship is in it: to-one, to-many, ordered, and many-to-many. Tests that need other
/// attributes add them (`with(_:)`).
package enum CompanySchema {
  package static let schema: Schema = {
    do {
      return try Schema(descriptions)
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  package static let descriptions = [
    EntityDescription(
      name: "Company",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string, isOptional: false)),
        relationship("employees", .toMany, "Employee", "company"),
      ]),
    EntityDescription(
      name: "Employee",
      properties: [
        .attribute(AttributeDescription(name: "name", type: .string, isIndexed: true)),
        .attribute(AttributeDescription(name: "age", type: .integer64)),
        .attribute(AttributeDescription(name: "salary", type: .double)),
        .attribute(AttributeDescription(name: "email", type: .string, isUnique: true)),
        .attribute(AttributeDescription(name: "photo", type: .data)),
        .attribute(AttributeDescription(name: "bonus", type: .decimal)),
        relationship("company", .toOne, "Company", "employees"),
        relationship("tasks", .orderedToMany, "Task", "owner"),
        relationship("tags", .toMany, "Tag", "employees"),
      ]),
    EntityDescription(
      name: "Task",
      properties: [
        .attribute(AttributeDescription(name: "title", type: .string)),
        .attribute(AttributeDescription(name: "done", type: .boolean)),
        .attribute(AttributeDescription(name: "estimate", type: .integer32)),
        relationship("owner", .toOne, "Employee", "tasks"),
      ]),
    EntityDescription(
      name: "Tag",
      properties: [
        .attribute(AttributeDescription(name: "label", type: .string)),
        relationship("employees", .toMany, "Employee", "tags"),
      ]),
  ]

  /// The same with more of it.
  ///
  /// - Parameters:
  ///   - additions: more properties by entity: attributes behind the attributes, relationships behind all.
  ///   - entities: more entities, after the others.
  ///   - rules: other delete rules by relationship: `Employee.tasks`.
  ///   - aliases: other names of paths by entity.
  package static func with(
    _ additions: [String: [PropertyDescription]], entities: [EntityDescription] = [],
    rules: [String: DeleteRule] = [:], aliases: [String: [String: [String]]] = [:]
  ) -> Schema {
    let changed = descriptions.map { description in
      var description = description
      let name = description.name
      description.properties = description.properties.map { property in
        guard case .relationship(var relationship) = property,
          let rule = rules["\(name).\(relationship.name)"]
        else { return property }
        relationship.deleteRule = rule
        return .relationship(relationship)
      }
      let properties = description.properties + (additions[name] ?? [])
      description.properties =
        properties.filter { $0.attribute != nil } + properties.filter { $0.attribute == nil }
      description.aliases = aliases[name] ?? [:]
      return description
    }
    do {
      return try Schema(changed + entities)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  package static func attribute(
    _ name: String, _ type: AttributeType, declared: String? = nil
  ) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type, declaredType: declared))
  }

  package static func relationship(
    _ name: String, _ kind: RelationshipKind, _ destination: String, _ inverse: String?,
    deleteRule: DeleteRule = .nullify
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, kind: kind, destination: destination, inverse: inverse,
        deleteRule: deleteRule))
  }
}
