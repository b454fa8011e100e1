import DatastoreTestSupport
import Testing

@testable import DatastoreCore

/// A graph over a store in memory, by names.
struct GraphWorld {
  /// Companies, employees with managers and desks, tasks, tags and contracts: relationships of every kind
  /// and with every delete rule but one.
  static let schema = CompanySchema.with(
    [
      "Company": [
        CompanySchema.relationship(
          "contracts", .toMany, "Contract", "company", deleteRule: .deny)
      ],
      "Employee": [
        CompanySchema.relationship("manager", .toOne, "Employee", "reports"),
        CompanySchema.relationship("reports", .toMany, "Employee", "manager"),
        CompanySchema.relationship("desk", .toOne, "Desk", "employee"),
      ],
    ],
    entities: [
      EntityDescription(
        name: "Desk",
        properties: [
          CompanySchema.attribute("number", .integer64),
          CompanySchema.relationship("employee", .toOne, "Employee", "desk"),
        ]),
      EntityDescription(
        name: "Contract",
        properties: [
          CompanySchema.attribute("title", .string),
          CompanySchema.relationship("company", .toOne, "Company", "contracts"),
        ]),
    ],
    rules: ["Company.employees": .cascade, "Employee.tasks": .cascade])

  let store: MemoryStore
  let graph: ObjectGraph

  init(_ store: MemoryStore = MemoryStore(schema)) {
    self.store = store
    graph = ObjectGraph(
      store: store, makeObject: { ManagedObject(managedObject: $0) },
      faultFailed: { Issue.record($0) })
  }

  func entity(_ name: String) -> Entity {
    guard let entity = graph.schema.entity(named: name) else {
      preconditionFailure("there is no entity \(name)")
    }
    return entity
  }

  /// A new object whose first attribute, if it is text, is its key.
  @discardableResult
  func make(_ entity: String) throws -> ManagedObject {
    let object = try graph.insert(self.entity(entity))
    if object.entity.properties[0].attribute?.type == .string {
      object.setValue(.text("\(object.key)"), at: 0)
    }
    return object
  }

  /// All objects of an entity, by key.
  func all(_ entity: String) throws -> [ManagedObject] {
    try graph.fetch(FetchRequest(entity: entity))
  }

  func save() throws -> SavedChanges {
    let pending = try graph.prepareSave()
    return graph.completeSave(pending, try store.save(pending.changes))
  }

  func undoGroup(_ body: () throws -> Void) rethrows {
    graph.journal?.beginGroup()
    defer { graph.journal?.endGroup() }
    try body()
  }

  /// Every object, a line each: its key, and the values and objects of its properties.
  func contents() throws -> [String] {
    try graph.schema.entities.flatMap { entity in
      try all(entity.name).map { object in
        let values = zip(entity.slots, entity.properties).map { slot, property in
          switch property.relationship?.kind {
          case nil: "\(object.value(at: slot))"
          case .toOne: object.related(at: slot).map { "\($0.key)" } ?? "-"
          case .toMany: "\(object.relatedKeys(at: slot).sorted())"
          case .orderedToMany: "\(object.relatedKeys(at: slot))"
          }
        }
        return "\(entity.name) \(object.key): \(values.joined(separator: " "))"
      }
    }
  }
}

extension ManagedObject {
  func slot(_ name: String) -> Slot {
    guard let slot = entity.slot(named: name) else {
      preconditionFailure("\(entity.name) has no property \(name)")
    }
    return slot
  }

  func one(_ name: String) -> ManagedObject? { related(at: slot(name)) }
  func many(_ name: String) -> [ManagedObject] { relatedObjects(at: slot(name)) }
  func set(_ name: String, _ object: ManagedObject?) { setRelated(object, at: slot(name)) }
  func set(_ name: String, _ objects: [ManagedObject]) { setRelated(objects, at: slot(name)) }
}
