@testable import DatastoreCore

/// A small world of plain objects: employees with a company, a manager and tasks.
enum PredicateFixture {
  static let schema: Schema = {
    do {
      return try Schema([employee, company, task])
    } catch {
      preconditionFailure("The fixture's schema is valid: \(error)")
    }
  }()

  static func entity(_ name: String = "Employee") -> Entity {
    guard let entity = schema.entity(named: name) else {
      preconditionFailure("The fixture has no entity \(name)")
    }
    return entity
  }

  private static func attribute(
    _ name: String, _ type: AttributeType, declared: String? = nil
  ) -> PropertyDescription {
    .attribute(AttributeDescription(name: name, type: type, declaredType: declared))
  }

  private static let employee = EntityDescription(
    name: "Employee",
    properties: [
      attribute("name", .string), attribute("age", .integer64), attribute("salary", .double),
      attribute("active", .boolean), attribute("hired", .date), attribute("badge", .uuid),
      attribute("photo", .data), attribute("rate", .decimal), attribute("site", .url),
      attribute("anything", .undefined), attribute("order item", .string),
      attribute("any", .integer64), attribute("größe", .double),
      attribute("foreign", .date, declared: "DATETIME"),
      .relationship(
        RelationshipDescription(
          name: "company", kind: .toOne, destination: "Company", inverse: "employees")),
      .relationship(
        RelationshipDescription(
          name: "manager", kind: .toOne, destination: "Employee", inverse: "reports")),
      .relationship(
        RelationshipDescription(
          name: "reports", kind: .toMany, destination: "Employee", inverse: "manager")),
      .relationship(
        RelationshipDescription(
          name: "tasks", kind: .orderedToMany, destination: "Task", inverse: "owner")),
    ],
    aliases: ["company_id": ["company", "number"], "boss": ["manager"]])

  private static let company = EntityDescription(
    name: "Company",
    properties: [
      attribute("name", .string), attribute("number", .integer64),
      .relationship(
        RelationshipDescription(
          name: "employees", kind: .toMany, destination: "Employee", inverse: "company")),
    ])

  private static let task = EntityDescription(
    name: "Task",
    properties: [
      attribute("title", .string), attribute("estimate", .double), attribute("done", .boolean),
      attribute("due", .date),
      .relationship(
        RelationshipDescription(
          name: "owner", kind: .toOne, destination: "Employee", inverse: "tasks")),
    ])
}

/// An object whose values and relations are plain dictionaries.
final class Subject: PredicateSubject {
  let predicateEntity: Entity
  let predicateKey: Int64
  var values: [String: Value]
  var related: [String: [Subject]] = [:]

  init(_ entity: String, _ key: Int64, _ values: [String: Value] = [:]) {
    predicateEntity = PredicateFixture.entity(entity)
    predicateKey = key
    self.values = values
  }

  convenience init(_ key: Int64, _ values: [String: Value] = [:]) {
    self.init("Employee", key, values)
  }

  var predicateSchema: Schema { PredicateFixture.schema }

  func predicateValue(_ property: String) -> Value {
    if let objects = related[property] {
      return objects.first.map { .integer($0.predicateKey) } ?? .null
    }
    return values[property] ?? .null
  }

  func predicateRelated(_ relationship: String) -> [any PredicateSubject] {
    related[relationship] ?? []
  }
}
