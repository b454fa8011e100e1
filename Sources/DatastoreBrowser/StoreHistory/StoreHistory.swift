import Basics
import DatastoreCore
import SwiftDatastore

/// The persistent history of a Core Data store: who changed which objects and properties, and when. A derived
/// table with a row for each change, the last one first.
struct StoreHistory {
  private let change: Entity
  private let schema: Schema
  /// The entities of changed objects by their numbers in the history.
  private let entities: [Int64: EntityIndex]
  private let kinds: [Int64: String]

  /// The most changes that are shown; older ones are left out.
  private static let most = 100_000

  /// Nil for a store without a history.
  init?(_ schema: Schema) {
    guard let change = schema.entity(named: "CHANGE"),
      let transaction = change.slot(named: "transactionID"), change.links[transaction] != nil,
      ["changeType", "entity", "entityPK", "columns"].allSatisfy({ change.slot(named: $0) != nil })
    else { return nil }
    self.change = change
    self.schema = schema
    func cases(_ name: String) -> [Int64: String] {
      let attribute = change.slot(named: name).flatMap { change.properties[$0].attribute }
      return Dictionary(
        (attribute?.cases ?? []).compactMap { entry in
          if case .integer(let number) = entry.value { (number, entry.name) } else { nil }
        }, uniquingKeysWith: { first, _ in first })
    }
    kinds = cases("changeType")
    entities = cases("entity").compactMapValues { schema.entity(named: $0)?.index }
  }

  static let columns: [DerivedRows.Column] = [
    DerivedRows.Column(name: "when", dates: .own), .text("change"), .text("entity"),
    .text("object"), .text("properties"), .text("author"), .text("process"), .text("bundle"),
    .text("context"),
  ]

  /// Depending on the version of Core Data, a transaction contains its texts, or refers to them.
  private static let texts = [
    ["author", "authorTS.name"], ["processID", "processIDTS.name"],
    ["bundleID", "bundleIDTS.name"],
    ["contextName", "contextNameTS.name"],
  ]

  /// The texts of a transaction in this store, with the index of the column for each.
  private var paths: [(column: Int, path: String)] {
    Self.texts.enumerated().flatMap { column, names in
      names.filter { isThere("transactionID.\($0)") }.map { (column, "transactionID.\($0)") }
    }
  }

  private func isThere(_ path: String) -> Bool {
    var entity: Entity? = change
    for name in path.parts(at: ".") {
      guard let here = entity, let slot = here.slot(named: String(name)) else { return false }
      entity = here.links[slot].map { schema.entities[$0.destination] }
    }
    return true
  }
}

extension StoreHistory {
  /// Reads the changes, and the names of objects that still exist.
  @MainActor
  func rows(_ runner: EffectRunner) async throws -> DerivedRows {
    let paths = paths
    var text = ValueQueryText()
    text.columns =
      (["changeType", "entity", "entityPK", "columns", "transactionID.timestamp"]
      + paths.map(\.path)).joined(separator: ", ")
    text.order = "transactionID.timestamp desc"
    var query = try ValueQuery(text, entity: change, in: schema)
    query.limit = Self.most
    let changes = try await runner.view.answer(ValueTableQuestion(query)).flatMap { page in
      (0..<page.rowCount).map { row in
        (0..<page.columnCount).map { page.value(row: row, column: $0) }
      }
    }
    var keys: [EntityIndex: Set<RowKey>] = [:]
    let objects = changes.map { change -> ObjectReference? in
      guard case .integer(let number) = change[1], let entity = entities[number],
        let key = change[2].key
      else { return nil }
      keys[entity, default: []].insert(key)
      return ObjectReference(entity: entity, key: key)
    }
    var names: [EntityIndex: [RowKey: String]] = [:]
    for (entity, keys) in keys {
      names[entity] = try await runner.names(entity: entity, keys: Array(keys))
    }
    let rows = zip(changes, objects).map { change, object -> [Value] in
      var texts = [Value](repeating: .null, count: Self.texts.count)
      for (place, path) in paths.enumerated() where !change[5 + place].isNull {
        texts[path.column] = change[5 + place]
      }
      return [change[4], kind(change[0])] + described(change, object, names, runner) + texts
    }
    return DerivedRows(columns: Self.columns, rows: rows, enter: .goToObject) { [names] rows, _ in
      guard let object = objects[rows[0]], names[object.entity]?[object.key] != nil else {
        return nil
      }
      return { $0.goTo(object, slot: nil) }
    }
  }

  private func kind(_ value: Value) -> Value {
    guard case .integer(let number) = value, let name = kinds[number] else { return value }
    return .text(name)
  }

  /// The entity, object and properties of a change.
  @MainActor
  private func described(
    _ change: [Value], _ object: ObjectReference?, _ names: [EntityIndex: [RowKey: String]],
    _ runner: EffectRunner
  ) -> [Value] {
    guard let object, case .integer(let number) = change[1] else {
      return [change[1], change[2], .null]
    }
    var properties = Value.null
    if case .blob(let bits) = change[3] {
      properties = .text(
        runner.datastore.changedProperties(Array(bits), ofEntity: number).joined(separator: ", "))
    }
    let name = names[object.entity]?[object.key] ?? "\(object.key), gone"
    return [.text(schema.entities[object.entity].name), .text(name), properties]
  }
}

extension BrowserState {
  mutating func openStoreHistory() {
    guard let history = StoreHistory(schema) else {
      return
    }
    openDerivedTable(
      titled: "the history of this store", "the history of this store", entity: "history"
    ) { _ in { runner, _, _ in try await history.rows(runner) } }
  }
}
