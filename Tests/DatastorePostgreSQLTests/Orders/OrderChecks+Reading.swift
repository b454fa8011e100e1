#if PostgreSQL
import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore

/// The queries.
extension OrderChecks {
  private static let conditions: [(entity: String, format: String)] = [
    ("Order", "number > 5 AND paid == true"),
    ("Order", "total == nil OR total * 2 > 30"),
    ("Order", "number IN {1, 2, 3, 40}"),
    ("Order", "placed > \"2001-06-01\""),
    ("Customer", "name MATCHES \"[A-Z].*\""),
    ("Order", "customer.name == \"Zoe\""),
    ("Order", "customer.city BEGINSWITH[c] \"b\" AND paid == false"),
    ("Order", "NOT (customer.city == nil)"),
    ("Item", "order.customer.name ENDSWITH[c] \"m\""),
    ("Order", "ANY items.quantity > 4"),
    ("Order", "NONE items.product == \"pen\""),
    ("Order", "ALL items.quantity < 4"),
    ("Order", "items.@count > 2"),
    ("Order", "items.@sum.quantity > 6"),
    ("Order", "ANY tags.label == \"late\""),
    ("Order", "tags.@count == 0"),
    ("Order", "customer.orders.@count > 4"),
    ("Customer", "ANY orders.items.product == \"Paper\""),
    ("Customer", "orders.@max.total > 20"),
    ("Note", "about.customer.name == \"adam\""),
    ("Note", "about == nil"),
    ("Tag", "ANY orders.paid == true AND orders.@count > 2"),
    ("Order", "notes.@count == 1 AND ANY items.customer.name != \"Bo\""),
  ]

  static var conditionChecks: [Check] {
    conditions.flatMap { entity, format -> [Check] in
      [
        Check(name: "keys: \(entity) where \(format)") { store in
          try store.numbers(store.engine.fetchKeys(store.request(entity, format)), entity)
        },
        Check(name: "count: \(entity) where \(format)") { store in
          "\(try store.engine.count(store.request(entity, format)))"
        },
        Check(name: "rows: \(entity) where \(format)") { store in
          let pages = try store.engine.fetch(store.request(entity, format, by: "number desc"))
          return store.numbers(
            pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }, entity)
        },
      ]
    }
  }

  private static let terms: [(entity: String, order: String)] = [
    ("Order", "number desc"), ("Order", "total, number"), ("Order", "paid desc, placed desc"),
    ("Customer", "name[c]"), ("Order", "customer.name desc, number"),
    ("Item", "order.customer.city, product, number"), ("Order", "items.@count desc, number"),
    ("Order", "customer.orders.@count, total desc"), ("Note", "about.total"),
  ]

  static var orders: [Check] {
    terms.flatMap { entity, order -> [Check] in
      [
        Check(name: "list: \(entity) by \(order)") { store in
          let list = try store.engine.answer(KeyListQuestion(store.request(entity, by: order)))
          return store.numbers(Array(list.keys), entity)
        },
        Check(name: "page: \(entity) by \(order)") { store in
          let request = try store.request(entity, by: order, offset: 2, limit: 3)
          return try store.numbers(store.engine.fetchKeys(request), entity)
        },
      ]
    }
  }

  static var sections: [Check] {
    let paths = [["paid"], ["customer"], ["customer", "name"], ["placed", "@month"]]
    return paths.flatMap { path -> [Check] in
      [
        Check(name: "list of sections: Order by \(path.joined(separator: "."))") { store in
          let list = try store.engine.answer(
            KeyListQuestion(store.request("Order", by: "number desc"), groupBy: path))
          return store.numbers(Array(list.keys), "Order") + " \(list.sections.map(\.count))"
        },
        Check(name: "sections: Order by \(path.joined(separator: "."))") { store in
          let sections = try store.engine.answer(
            SectionsQuestion(store.request("Order"), groupBy: path))
          return "\(sections.map(\.count))"
        },
      ]
    }
  }

  static var lists: [Check] {
    [
      Check(name: "a list of a condition and an order") { store in
        let request = try store.request(
          "Order", "ANY items.quantity > 3", by: "customer.name, number")
        return store.numbers(
          Array(try store.engine.answer(KeyListQuestion(request)).keys), "Order")
      },
      Check(name: "windows") { store in
        var windows = WindowAgreement(store.engine, seed: 7)
        return try windows.fault(
          of: store.request("Order", by: "total desc"), groupBy: nil, windows: 12) ?? "none"
      },
      Check(name: "windows of sections") { store in
        var windows = WindowAgreement(store.engine, seed: 8)
        return try windows.fault(
          of: store.request("Order", by: "number"), groupBy: ["paid"], windows: 12) ?? "none"
      },
    ]
  }

  private static func asking<Question: StoreQuestion>(
    _ name: String, _ condition: String = "", _ question: @escaping (FetchRequest) -> Question
  ) -> Check {
    Check(name: name) { store in
      "\(try store.engine.answer(question(store.request("Order", condition, by: "number"))))"
    }
  }

  static var values: [Check] {
    let sum: [AggregateTerm] = [.countRows, .aggregate(.sum, ["total"])]
    return [
      asking("values") { ValuesQuestion(of: [["number"], ["total"]], in: $0) },
      asking("values over a path") {
        ValuesQuestion(of: [["number"], ["customer", "name"]], in: $0)
      },
      asking("frequencies") { FrequencyQuestion(of: ["total"], in: $0, limit: 9) },
      asking("frequencies over a path") {
        FrequencyQuestion(of: ["customer", "city"], in: $0, limit: 9)
      },
      asking("statistics") { StatisticsQuestion(of: ["total"], in: $0) },
      asking("statistics over a path") { StatisticsQuestion(of: ["customer", "name"], in: $0) },
      asking("a histogram") { HistogramQuestion(of: ["total"], in: $0, bins: 4) },
      asking("groups") { AggregatesQuestion(sum, of: $0, groupBy: [["paid"]]) },
      asking("groups over a path") {
        AggregatesQuestion(sum, of: $0, groupBy: [["customer", "name"]])
      },
      asking("a sum of a condition over a path", "customer.name == \"Zoe\"") {
        AggregatesQuestion(sum, of: $0, groupBy: [])
      },
      Check(name: "distinct values") { store in
        let question = try DistinctValuesQuestion(
          of: "product", entity: store.entity("Item").index, beginningWith: "", limit: 9)
        return "\(try store.engine.answer(question))"
      },
      Check(name: "what shows a text") { store in
        let question = try MatchingKeysQuestion(
          containing: "AD", at: [["name"]], entity: store.entity("Customer").index)
        return store.numbers(try store.engine.answer(question).sorted(), "Customer")
      },
    ]
  }

  private static let members = [
    ("Customer", "orders"), ("Order", "items"), ("Order", "tags"), ("Tag", "orders"),
    ("Order", "notes"),
  ]

  static var relationships: [Check] {
    members.flatMap { name, relationship -> [Check] in
      func check(
        _ kind: String, _ body: @escaping (OrderStore, RelationshipLink, [RowKey]) throws -> String
      ) -> Check {
        Check(name: "\(kind): \(name).\(relationship)") { store in
          let entity = try store.entity(name)
          guard let slot = entity.slot(named: relationship), let link = entity.links[slot] else {
            return ""
          }
          return try body(store, link, store.keys[name] ?? [])
        }
      }
      return [
        check("members") { store, link, keys in
          try keys.map {
            let related = try store.engine.relatedKeys(
              entity: link.entity, slot: link.slot, key: $0)
            return store.numbers(related, link.description.destination)
          }.joined(separator: "/")
        },
        check("prefetched") { store, link, keys in
          let rows = try store.engine.relatedRows(entity: link.entity, slot: link.slot, keys: keys)
          let count = Set(
            rows.pages.flatMap { page in (0..<page.rowCount).map { page.key(ofRow: $0) } }
          ).count
          return keys.map { store.numbers(rows.members[$0] ?? [], link.description.destination) }
            .joined(separator: "/") + " \(count)"
        },
        check("numbers of members") { store, link, keys in
          let counts = try store.engine.answer(
            RelatedCountsQuestion(entity: link.entity, slot: link.slot, keys: keys))
          return "\(keys.map { counts[$0] ?? 0 })"
        },
      ]
    }
  }
}
#endif
