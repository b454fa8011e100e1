import DatastoreCore
import Foundation

/// Saving and reading.
extension EngineConformance {
  func tryRows() throws {
    let store = try makeStore(CompanySchema.schema)
    var changes = Changes(store)
    let company = try changes.insert("Company", ["name": "Acme"])
    let (ann, bob) = (
      try changes.insert("Employee", ["name": "Ann", "age": 30, "company": .key(company)]),
      try changes.insert("Employee", ["name": "Bob", "photo": .blob(Data([0, 255]))])
    )
    let tasks = try ["one", "two", "three"].map {
      try changes.insert("Task", ["title": .text($0), "owner": .key(ann)])
    }
    let tag = try changes.insert("Tag", ["label": "new"])
    try changes.link("Employee", "tags", ann, tag)
    try changes.order("Employee", "tasks", ann, [tasks[2], tasks[0], tasks[1]])
    try changes.save()
    try expect(store.row("Employee", ann)?["age"], 30, in: .rows, "an age")
    try expect(store.row("Employee", bob)?["photo"], .blob(Data([0, 255])), in: .rows, "a photo")
    try expect(store.related("Company", "employees", company), [ann], in: .rows, "members")
    try expect(store.related("Tag", "employees", tag), [ann], in: .rows, "members of a tag")
    try expect(
      store.related("Employee", "tasks", ann), [tasks[2], tasks[0], tasks[1]], in: .rows,
      "ordered members")

    changes = Changes(store)
    try changes.update("Employee", bob, from: [:], to: ["company": .key(company), "photo": .null])
    try changes.delete("Task", tasks[0])
    try changes.save()
    try expect(
      Set(store.related("Company", "employees", company)), [ann, bob], in: .rows, "members")
    try expect(
      store.related("Employee", "tasks", ann), [tasks[2], tasks[1]], in: .rows, "ordered members")
    try expect(store.row("Task", tasks[0]) == nil, true, in: .rows, "that a deleted row is gone")
    try tryConflicts(store, ann, gone: tasks[0])
  }

  /// A save writes nothing if one of its rows differs from the original of the edit.
  private func tryConflicts(_ store: any ObjectStore, _ ann: RowKey, gone: RowKey) throws {
    for (edit, properties) in [("age", ["age"]), ("gone", [])] {
      var changes = Changes(store)
      try changes.insert("Company", ["name": "not saved"])
      if edit == "age" {
        try changes.update("Employee", ann, from: ["age": 29], to: ["age": 31])
      } else {
        try changes.update("Task", gone, from: ["title": "one"], to: ["title": "more"])
      }
      do {
        try changes.save()
        throw Fault(.rows, "a conflict (\(edit)) is overwritten")
      } catch let error as ConflictError {
        try expect(
          error.conflicts.flatMap { $0.properties.map(\.name) }, properties, in: .rows,
          "the properties of a conflict (\(edit))")
      }
    }
    try expect(store.names("Company"), ["Acme"], in: .rows, "what a conflict has left unsaved")
    var changes = Changes(store)
    try changes.update("Employee", ann, from: ["age": 29], to: ["age": 31], overwrites: true)
    try changes.save()
    try expect(store.row("Employee", ann)?["age"], 31, in: .rows, "an age that is overwritten")
  }

  mutating func tryPredicates(on store: any ObjectStore) throws {
    let failure = Lock<(any Error)?>(nil)
    let rows = try AgreementRows(store) { error in failure.withLock { $0 = error } }
    var draw = PredicateAgreementDraw(
      schema: store.schema, samples: rows.values, keys: rows.keys, random: random)
    for _ in 0..<count {
      for entity in store.schema.entities {
        let predicate = draw.predicate(entity)
        try predicate.validate(for: entity, in: store.schema)
        if let fault = try rows.disagreement(entity, predicate, draw.order(entity)) {
          throw Fault(.predicates, "seed \(random.seed): \(fault)")
        }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    random = draw.random
  }

  /// Names that break whatever quotes or splits, and texts of the same kind.
  mutating func tryHostileNames() throws {
    for _ in 0..<max(1, count / 40) {
      var names: Set<String> = []
      while names.count < 4 {
        let name = "n" + HostileText.draw(most: 40, hasControls: false, using: &random)
        // Two names must differ in more than their case.
        if !names.contains(where: { $0.lowercased() == name.lowercased() }) { names.insert(name) }
      }
      let (entity, text, number, many) = {
        let all = names.sorted()
        return (all[0], all[1], all[2], all[3])
      }()
      let store = try makeStore(
        Schema([
          EntityDescription(
            name: entity,
            properties: [
              CompanySchema.attribute(text, .string), CompanySchema.attribute(number, .integer64),
              CompanySchema.relationship(many, .toMany, entity, nil),
            ])
        ]))
      let texts = (0..<8).map { _ in HostileText.draw(hasControls: true, using: &random) }
      var changes = Changes(store)
      var keys: [RowKey] = []
      for (place, value) in texts.enumerated() {
        keys.append(
          try changes.insert(entity, [text: .text(value), number: .integer(Int64(place))]))
      }
      try changes.link(entity, many, keys[0], keys[1])
      try changes.save()
      try expect(
        store.related(entity, many, keys[0]), [keys[1]], in: .hostileNames, "members of “\(many)”")
      for value in texts {
        let request = FetchRequest(
          entity: entity,
          predicate: .comparison(.init(.keyPath([text]), .equal, .value(.text(value)))),
          sortDescriptors: [SortDescriptor([number])])
        try expect(
          store.fetchKeys(request), zip(keys, texts).filter { $0.1 == value }.map(\.0),
          in: .hostileNames, "what is “\(value)” in “\(text)” of “\(entity)”")
      }
    }
  }
}
