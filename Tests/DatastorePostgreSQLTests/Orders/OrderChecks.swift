#if PostgreSQL
import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore

/// A shop whose rows are distributed by customer or by tenant, with queries of its store and changes to it.
/// Each check ends in a text, so that two engines can be compared.
struct OrderChecks {
  /// One thing that is tried.
  struct Check {
    let name: String
    /// Whether it is tried on a store of its own.
    var writes = false
    let run: (OrderStore) throws -> String
  }

  /// The properties by which rows are distributed.
  enum Layout: String, CaseIterable {
    case none, customer, customerAndTenant, tenant

    var properties: [String] {
      switch self {
      case .none: []
      case .customer: ["Order.customer", "Item.customer"]
      case .customerAndTenant: ["Order.customer", "Item.customer", "Customer.tenant"]
      case .tenant: ["Customer", "Order", "Item", "Tag", "Note"].map { "\($0).tenant" }
      }
    }
  }

  static var all: [Check] {
    conditionChecks + orders + sections + lists + values + relationships + saving + updates
      + deletions + others
  }

  static let schema: Schema = {
    let tenant = attribute("tenant", .integer64, isOptional: false)
    let number = attribute("number", .integer64, isOptional: false)
    do {
      return try Schema([
        entity(
          "Customer", uniqueness: [["tenant", "number"]], tenant, number, attribute("name"),
          attribute("city"), relationship("orders", .toMany, "Order", "customer", rule: .cascade),
          relationship("items", .toMany, "Item", "customer", rule: .cascade)),
        entity(
          "Order", uniqueness: [["tenant", "customer", "number"]], tenant, number,
          attribute("paid", .boolean), attribute("total", .double), attribute("placed", .date),
          required("customer", "Customer", "orders"),
          relationship("items", .toMany, "Item", "order", rule: .cascade),
          relationship("tags", .toMany, "Tag", "orders"),
          relationship("notes", .toMany, "Note", "about")),
        entity(
          "Item", tenant, number, attribute("product"), attribute("quantity", .integer64),
          required("order", "Order", "items"), required("customer", "Customer", "items")),
        entity(
          "Tag", tenant, number, attribute("label"),
          relationship("orders", .toMany, "Order", "tags")),
        entity(
          "Note", tenant, number, attribute("text"), relationship("about", .toOne, "Order", "notes")
        ),
      ])
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private static func required(
    _ name: String, _ destination: String, _ inverse: String
  ) -> PropertyDescription {
    .relationship(
      RelationshipDescription(
        name: name, kind: .toOne, destination: destination, inverse: inverse, isOptional: false))
  }
}

/// A store of the shop, and its objects by number.
struct OrderStore {
  let engine: any StoreEngine
  let datastore: SwiftDatastore
  /// The keys of the created rows, by entity and number.
  let keys: [String: [RowKey]]

  /// Five customers of two tenants with twenty orders of up to four items, three tags, and notes.
  init(filling engine: any StoreEngine) throws {
    self.engine = engine
    datastore = SwiftDatastore(engine, dataModel: nil, storeName: "orders", options: .init())
    var changes = Changes(engine)
    var keys: [String: [RowKey]] = [:]
    func insert(_ entity: String, _ values: [String: Value]) throws -> RowKey {
      let number = keys[entity]?.count ?? 0
      let key = try changes.insert(
        entity,
        values.merging(["number": .integer(Int64(number)), "tenant": .integer(1)]) { old, _ in old }
      )
      keys[entity, default: []].append(key)
      return key
    }
    let customers = try ["Zoe", "adam", "Čeněk", "Bo", "Adam"].enumerated().map { index, name in
      try insert(
        "Customer",
        [
          "name": .text(name), "city": index == 3 ? .null : .text(["Brno", "oslo"][index % 2]),
          "tenant": .integer(Int64(1 + index % 2)),
        ])
    }
    let tags = try ["new", "late", "gift"].map { try insert("Tag", ["label": .text($0)]) }
    for number in 0..<20 {
      let customer = customers[number * 7 % 4]
      let tenant = Value.integer(Int64(1 + number * 7 % 4 % 2))
      let order = try insert(
        "Order",
        [
          "paid": .integer(Int64(number % 2)), "tenant": tenant, "customer": .key(customer),
          "total": number % 5 == 0 ? .null : .real(Double(number * 37 % 11) * 2.5),
          "placed": .real(Double(number) * 4_000_000),
        ])
      for item in 0..<(number * 3 % 5) {
        _ = try insert(
          "Item",
          [
            "product": .text(["pen", "ink", "Paper"][(number + item) % 3]), "tenant": tenant,
            "quantity": .integer(Int64(1 + (number + item * 2) % 5)), "order": .key(order),
            "customer": .key(customer),
          ])
      }
      if number % 3 == 0 { try changes.link("Order", "tags", order, tags[number % 2]) }
      if number % 4 == 0 { try changes.link("Order", "tags", order, tags[2]) }
      if number % 6 == 1 {
        _ = try insert(
          "Note", ["text": .text("about \(number)"), "about": .key(order), "tenant": tenant])
      }
    }
    _ = try insert("Note", ["text": "alone"])
    try changes.save()
    self.keys = keys
  }

  func entity(_ name: String) throws -> Entity {
    guard let entity = engine.schema.entity(named: name) else {
      throw StoreError.unknownEntity(name)
    }
    return entity
  }

  func request(
    _ name: String, _ format: String = "", by order: String = "", offset: Int = 0, limit: Int = 0
  ) throws -> FetchRequest {
    let entity = try entity(name)
    let predicate =
      format.isEmpty ? nil : try Predicate.parse(format, entity: entity, in: engine.schema)
    return FetchRequest(
      entity: name, predicate: predicate,
      sortDescriptors: try SortDescriptor.parse(order, entity: entity, in: engine.schema),
      offset: offset, limit: limit)
  }

  /// Keys as the numbers of their rows; those of later rows as `new`.
  func numbers(_ found: some Sequence<RowKey>, _ entity: String) -> String {
    let places = Dictionary(
      uniqueKeysWithValues: (keys[entity] ?? []).enumerated().map { ($1, $0) })
    return found.map { places[$0].map(String.init) ?? "new" }.joined(separator: " ")
  }

  /// All rows and their members.
  func picture() throws -> String {
    try engine.schema.entities.map { entity in
      let keys = try engine.fetchKeys(FetchRequest(entity: entity.name))
      let lines = try keys.map { key in
        let row = try engine.row(entity.name, key) ?? [:]
        let values = try entity.slots.map { slot in
          guard let link = entity.links[slot] else {
            return "\(row[entity.properties[slot].name] ?? .null)"
          }
          let members =
            link.kind.isToMany
            ? try engine.relatedKeys(entity: entity.index, slot: slot, key: key).sorted()
            : row[entity.properties[slot].name]?.key.map { [$0] } ?? []
          return "[\(numbers(members, link.description.destination))]"
        }
        return values.joined(separator: "|")
      }
      return "\(entity.name):\n\(lines.sorted().joined(separator: "\n"))"
    }.joined(separator: "\n")
  }
}
#endif
