#if PostgreSQL
import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import SwiftDatastore

/// The changes. Each ends with its messages and with all stored rows.
extension OrderChecks {
  private static func save(
    _ name: String, _ body: @escaping (OrderStore, inout Changes) throws -> Void
  ) -> Check {
    Check(name: "save: \(name)", writes: true) { store in
      var changes = Changes(store.engine)
      try body(store, &changes)
      let said = saying {
        try changes.save()
        return "saved"
      }
      return "\(said)\n\(try store.picture())"
    }
  }

  /// The messages of errors without keys, which differ in each store.
  private static func saying(_ body: () throws -> String) -> String {
    do {
      return try body()
    } catch let error as ConflictError {
      return "conflict: "
        + error.conflicts.map {
          "\($0.entity) \($0.properties.map(\.name)) \($0.isDeleted) \($0.wasToBeDeleted)"
        }.joined(separator: ", ")
    } catch let error as StoreError {
      if case .notUnique(let entity, let properties, _) = error {
        return "not unique: \(entity) \(properties)"
      }
      return "refused: \(error)"
    } catch {
      return "refused: \(error)"
    }
  }

  static var saving: [Check] {
    [
      save("new rows") { store, changes in
        let customer = try changes.insert("Customer", ["number": 50, "tenant": 1, "name": "New"])
        try changes.insert(
          "Order", ["number": 50, "tenant": 1, "customer": .key(customer), "total": 1.5])
      },
      save("a change") { store, changes in
        try changes.update("Order", key(store, "Order", 3), from: [:], to: ["total": 99.5])
      },
      save("changes of many rows") { store, changes in
        for number in 4..<12 {
          try changes.update(
            "Order", key(store, "Order", number), from: [:], to: ["total": .real(Double(number))])
        }
      },
      save("rows that exchange what is unique") { store, changes in
        // Both of the same customer.
        try changes.update("Order", key(store, "Order", 1), from: [:], to: ["number": 5])
        try changes.update("Order", key(store, "Order", 5), from: [:], to: ["number": 1])
      },
      save("what is unique already") { store, changes in
        try changes.update("Order", key(store, "Order", 1), from: [:], to: ["number": 5])
      },
      save("a deleted row") { store, changes in
        try delete(store, &changes, "Note", 0)
      },
      save("a row that somebody else has changed") { store, changes in
        var others = Changes(store.engine)
        try others.update("Order", key(store, "Order", 3), from: [:], to: ["total": 1])
        try changes.update("Order", key(store, "Order", 3), from: [:], to: ["total": 2])
        try others.save()
      },
      save("a row that somebody else has deleted") { store, changes in
        var others = Changes(store.engine)
        try changes.update("Note", key(store, "Note", 1), from: [:], to: ["text": "mine"])
        try others.delete("Note", key(store, "Note", 1))
        try others.save()
      },
      save("deleting what somebody else has changed") { store, changes in
        var others = Changes(store.engine)
        try delete(store, &changes, "Note", 1)
        try others.update("Note", key(store, "Note", 1), from: [:], to: ["text": "theirs"])
        try others.save()
      },
      save("a change that overwrites") { store, changes in
        var others = Changes(store.engine)
        try others.update("Order", key(store, "Order", 3), from: [:], to: ["total": 1])
        try changes.update(
          "Order", key(store, "Order", 3), from: [:], to: ["total": 2], overwrites: true)
        try others.save()
      },
      save("a reference") { store, changes in
        try changes.update(
          "Note", key(store, "Note", 1), from: [:], to: ["about": .key(key(store, "Order", 2))])
      },
      save("a reference by which rows may be distributed") { store, changes in
        try changes.update(
          "Order", key(store, "Order", 1), from: [:],
          to: ["customer": .key(key(store, "Customer", 0))])
      },
      save("new pairs, and one that is there") { store, changes in
        for number in 0..<5 {
          try changes.link("Order", "tags", key(store, "Order", number), key(store, "Tag", 0))
        }
      },
      save("everything at once") { store, changes in
        let order = try changes.insert(
          "Order", ["number": 70, "tenant": 1, "customer": .key(key(store, "Customer", 0))])
        try changes.update("Customer", key(store, "Customer", 2), from: [:], to: ["city": .null])
        try delete(store, &changes, "Note", 2)
        try changes.link("Order", "tags", order, key(store, "Tag", 1))
      },
      changing("objects: made, changed and deleted with what goes with them") { store, context in
        let customers: [DynamicObject] = try context.fetch(store.request("Customer", by: "number"))
        let order = try context.createObject(entityName: "Order")
        (order["number"], order["tenant"]) = (80, 2)
        order.set(customers[1], for: "customer")
        context.deleteObject(customers[0])
        customers[3]["city"] = "Rome"
        return "saved"
      },
    ]
  }

  private static let changes: [(entity: String, format: String, values: [String: Value])] = [
    ("Order", "number > 5", ["total": 7.5]),
    ("Order", "customer.name == \"Zoe\"", ["paid": 1]),
    ("Order", "ANY items.quantity > 4", ["total": .null]),
    ("Customer", "orders.@count > 4", ["city": "Rome"]),
    ("Note", "about.paid == true", ["about": .null]),
    ("Item", "product MATCHES \"p.*\"", ["product": "pencil"]),
  ]

  private static func changing(
    _ name: String, _ body: @escaping (OrderStore, SwiftDatastoreContext.Closure) throws -> String
  ) -> Check {
    Check(name: name, writes: true) { store in
      let said = saying { try store.datastore.writeAndWait { try body(store, $0) } }
      return "\(said)\n\(try store.picture())"
    }
  }

  static var updates: [Check] {
    changes.map { entity, format, values in
      changing("updateMany: \(entity) where \(format)") { store, context in
        let predicate = try store.request(entity, format).predicate
        return "\(try context.updateMany(entityName: entity, where: predicate, values: values))"
      }
    }
  }

  private static let going = [
    ("Note", "number > 1"), ("Item", "order.paid == true"), ("Order", "number < 4"),
    ("Order", "ANY tags.label == \"late\""), ("Order", "items.@count == 0"),
    ("Customer", "name == \"Zoe\""), ("Tag", "label == \"gift\""),
  ]

  static var deletions: [Check] {
    going.map { entity, format in
      changing("deleteMany: \(entity) where \(format)") { store, context in
        let predicate = try store.request(entity, format).predicate
        return "\(try context.deleteMany(entityName: entity, where: predicate))"
      }
    }
  }

  static var others: [Check] {
    [
      Check(name: "copy out", writes: true) { store in
        let file = try SQLiteStore(inMemory: OrderChecks.schema)
        let target = SwiftDatastore(file, dataModel: nil, storeName: "copy", options: .init())
        let count = try store.datastore.copyObjects(into: target)
        let keys = try file.schema.entities.map {
          store.numbers(try file.fetchKeys(FetchRequest(entity: $0.name)), $0.name)
        }
        return "\(count) \(keys)"
      },
      changing("rows without objects") { store, _ in
        let entity = try store.entity("Tag")
        var rows: [[String: Value]] = [
          ["number": 11, "tenant": 1, "label": "a"], ["number": 12, "tenant": 2, "label": "b"],
        ]
        let (_, count) = try store.engine.writeRows(entity: entity.index, key: nil) { transaction in
          try transaction.insertAll { page, row in
            guard let values = rows.popLast() else { return false }
            for (name, value) in values {
              if let slot = entity.slot(named: name) { page.setValue(value, row: row, slot: slot) }
            }
            return true
          }
        }
        return "\(count)"
      },
      Check(name: "SQL that reads") { store in
        let question = SQLQuestion(
          "SELECT count(*), sum(\"number\") FROM \"Order\" WHERE \"paid\" IS NOT NULL", [])
        return "\(try store.engine.answer(question).rows)"
      },
    ]
  }

  private static func key(_ store: OrderStore, _ entity: String, _ number: Int) -> RowKey {
    store.keys[entity]?[number] ?? 0
  }

  /// Deletes a row as an object is deleted whose properties have all been read.
  private static func delete(
    _ store: OrderStore, _ changes: inout Changes, _ name: String, _ number: Int
  ) throws {
    let entity = try store.entity(name)
    let key = key(store, name, number)
    let original = Changes.page(entity, key, try store.engine.row(name, key) ?? [:])
    var change = EntityChanges(entity: entity.index)
    change.deleted.append(RowDeletion(key: key, original: original))
    changes.set.entities.append(change)
  }
}
#endif
