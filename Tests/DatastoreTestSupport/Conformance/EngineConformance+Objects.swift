import DatastoreCore
import Dispatch
import SwiftDatastore

/// Tests with objects: staging and undo, conflicts between contexts, lists that follow both, and copies of a
/// store.
extension EngineConformance {
  /// Everything that is known of all objects: their values, and the keys of those that they are related to.
  private typealias Picture = [String: [RowKey: [String: String]]]

  /// A store with the rows of `fill`; nil if the engine keeps rows only.
  private func filledEngine() throws -> (any StoreEngine)? {
    guard let engine = try makeStore(CompanySchema.schema) as? any StoreEngine else { return nil }
    var conformance = self
    try conformance.fill(engine)
    return engine
  }

  private static func datastore(of engine: any StoreEngine) -> SwiftDatastore {
    SwiftDatastore(engine, dataModel: nil, storeName: "conformance", options: .init())
  }

  /// The content of a context.
  private static func picture(of context: any ObjectContext) throws -> Picture {
    try picture(context.core.graph.schema) { entity in
      let objects: [DynamicObject] = try context.fetch(FetchRequest(entity: entity.name))
      return objects.map { object in
        (
          object.key, { object[$0] },
          { object.objects(entity.properties[$0].name).map(\.key) }
        )
      }
    }
  }

  /// The stored content.
  private static func picture(of store: any ReadableStore) throws -> Picture {
    try picture(store.schema) { entity in
      try store.fetchKeys(FetchRequest(entity: entity.name)).map { key in
        let row = try store.row(entity.name, key) ?? [:]
        return (
          key, { row[entity.properties[$0].name] ?? .null },
          { try store.relatedKeys(entity: entity.index, slot: $0, key: key) }
        )
      }
    }
  }

  private static func picture(
    _ schema: Schema,
    _ rows: (Entity) throws -> [(
      key: RowKey, value: (Slot) -> Value, members: (Slot) throws -> [RowKey]
    )]
  ) throws -> Picture {
    var picture: Picture = [:]
    for entity in schema.entities {
      for row in try rows(entity) {
        var values: [String: String] = [:]
        for (slot, property) in zip(entity.slots, entity.properties) {
          let link = entity.links[slot]
          if let link, link.kind.isToMany {
            let members = try row.members(slot)
            values[property.name] = "\(link.kind == .orderedToMany ? members : members.sorted())"
          } else {
            values[property.name] = "\(row.value(slot))"
          }
        }
        picture[entity.name, default: [:]][row.key] = values
      }
    }
    return picture
  }

  /// Each undo shows the state before, each redo the state after; the shown state is the saved one.
  func tryUndo() async throws {
    for round in 0..<max(1, count / 40) {
      guard let engine = try filledEngine() else { return }
      // A datastore closes its store when nothing refers to it any more.
      let datastore = Self.datastore(of: engine)
      let shown = try await datastore.newContext().perform { context in
        context.isUndoEnabled = true
        var random = SeededRandom(seed: random.seed &+ UInt64(round))
        var pictures = [try Self.picture(of: context)]
        for step in 0..<8 {
          try context.undoGroup { try Self.change(context, step, &random) }
          pictures.append(try Self.picture(of: context))
        }
        for step in (0..<8).reversed() {
          context.undo()
          try expect(Self.picture(of: context), pictures[step], in: .undo, "undoing step \(step)")
        }
        for step in 1...8 {
          context.redo()
          try expect(Self.picture(of: context), pictures[step], in: .undo, "redoing step \(step)")
        }
        try context.saveChanges()
        return pictures[8]
      }
      try expect(Self.picture(of: engine), shown, in: .undo, "what is saved")
      try datastore.close()
    }
  }

  /// Changes something to a value that it never had.
  private static func change(
    _ context: any ObjectContext, _ step: Int, _ random: inout SeededRandom
  ) throws {
    let employees: [DynamicObject] = try context.fetch(FetchRequest(entity: "Employee"))
    guard let employee = employees.randomElement(using: &random) else { return }
    switch random.below(5) {
    case 0:
      let new = try context.createObject(entityName: "Employee")
      new["name"] = .text("new \(step)")
      new.set(employee.object("company"), for: "company")
    case 1: employee["age"] = .integer(Int64(1000 + step))
    case 2: context.deleteObject(employee)
    case 3:
      let company = try context.createObject(entityName: "Company")
      company["name"] = .text("company \(step)")
      employee.set(company, for: "company")
    default:
      let task = try context.createObject(entityName: "Task")
      task["title"] = .text("task \(step)")
      employee.set([task] + employee.objects("tasks").reversed(), for: "tasks")
    }
  }

  /// A list that follows staged and saved changes equals the list that is read again.
  @MainActor
  func tryControllers() async throws {
    guard let engine = try filledEngine() else { return }
    let datastore = Self.datastore(of: engine)
    let view = datastore.sharedViewContext
    let request = FetchRequest(
      entity: "Employee",
      predicate: .comparison(.init(.keyPath(["age"]), .notEqual, .value(3))),
      sortDescriptors: [SortDescriptor(["name"]), SortDescriptor(["age"], ascending: false)])
    let groups: [[String]?] = [nil, ["age"], ["company", "name"]]
    func lists() async throws -> [FetchedObjectsController<DynamicObject>] {
      var lists: [FetchedObjectsController<DynamicObject>] = []
      for group in groups {
        let list = try FetchedObjectsController<DynamicObject>(
          viewContext: view, request: request, groupBy: group)
        try await list.performFetch()
        lists.append(list)
      }
      return lists
    }
    let followed = try await lists()
    var random = SeededRandom(seed: random.seed)
    for step in 0..<max(8, count / 8) {
      let seed = random.next()
      if random.below(2) == 0 {
        // Others have changed objects that this context has not, so nothing is a conflict.
        try view.saveChanges()
        try await datastore.newContext().perform { context in
          var random = SeededRandom(seed: seed)
          try Self.change(context, step, &random)
          try context.saveChanges()
        }
      } else {
        try Self.change(view, step, &random)
        view.processPendingChanges()
      }
      await Self.drainMainQueue()
      for list in followed { await list.settled() }
      for (place, fresh) in try await lists().enumerated() {
        try expect(
          followed[place].list, fresh.list, in: .controllers,
          "step \(step): the list by \(groups[place] ?? [])")
      }
    }
    try datastore.close()
  }

  @MainActor
  private static func drainMainQueue() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }

  /// A copy of a store has the same rows under the same keys.
  func tryCopies() throws {
    guard let engine = try filledEngine(),
      let empty = try makeStore(CompanySchema.schema) as? any StoreEngine
    else { return }
    let picture = try Self.picture(of: engine)
    let (source, target) = (Self.datastore(of: engine), Self.datastore(of: empty))
    let copied = try source.copyObjects(into: target)
    try expect(
      copied, picture.values.reduce(0) { $0 + $1.count }, in: .copies, "the number of copies")
    try expect(Self.picture(of: empty), picture, in: .copies, "what was copied")
    try target.close()
    try source.close()
  }
}
