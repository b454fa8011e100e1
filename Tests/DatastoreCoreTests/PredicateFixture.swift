import DatastoreTestSupport

@testable import DatastoreCore

/// A small world of plain objects: the company of all tests, with attributes of every type and with names
/// that are hard to write.
enum PredicateFixture {
  static let schema = CompanySchema.with(
    [
      "Company": [CompanySchema.attribute("number", .integer64)],
      "Employee": [
        CompanySchema.attribute("active", .boolean), CompanySchema.attribute("hired", .date),
        CompanySchema.attribute("badge", .uuid), CompanySchema.attribute("rate", .decimal),
        CompanySchema.attribute("site", .url), CompanySchema.attribute("anything", .undefined),
        CompanySchema.attribute("order item", .string),
        CompanySchema.attribute("any", .integer64), CompanySchema.attribute("größe", .double),
        CompanySchema.attribute("foreign", .string, declared: "DATETIME"),
        CompanySchema.relationship("manager", .toOne, "Employee", "reports"),
        CompanySchema.relationship("reports", .toMany, "Employee", "manager"),
      ],
      "Task": [CompanySchema.attribute("due", .date)],
    ],
    aliases: ["Employee": ["company_id": ["company", "number"], "boss": ["manager"]]])

  static func entity(_ name: String = "Employee") -> Entity {
    guard let entity = schema.entity(named: name) else {
      preconditionFailure("The fixture has no entity \(name)")
    }
    return entity
  }
}

/// An object whose values and relations are plain dictionaries.
final class Subject: PredicateSubject {
  let predicateEntity: Entity
  let predicateKey: RowKey
  var values: [String: Value]
  var related: [String: [Subject]] = [:]

  init(_ entity: String, _ key: RowKey, _ values: [String: Value] = [:]) {
    predicateEntity = PredicateFixture.entity(entity)
    predicateKey = key
    self.values = values
  }

  convenience init(_ key: RowKey, _ values: [String: Value] = [:]) {
    self.init("Employee", key, values)
  }

  var predicateSchema: Schema { PredicateFixture.schema }

  func predicateValue(_ property: String) -> Value {
    if let objects = related[property] {
      return objects.first.map { .key($0.predicateKey) } ?? .null
    }
    return values[property] ?? .null
  }

  func predicateRelated(_ relationship: String) -> [any PredicateSubject] {
    related[relationship] ?? []
  }
}
