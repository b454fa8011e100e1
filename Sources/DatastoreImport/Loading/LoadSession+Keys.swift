import DatastoreCore

extension LoadSession {
  /// Looks up in the store, with one question, those keys that are not known yet.
  func lookUp(_ values: [Value], at place: LoadKey) throws {
    guard !isNewStore, place.kind != .column else { return }
    let index = indexes[place] ?? KeyIndex()
    var seen: Set<Value> = []
    let unknown = values.filter { index.isUnknown($0) && seen.insert($0).inserted }
    // SQLite takes 32,766 values in one statement: https://www.sqlite.org/limits.html
    for start in stride(from: 0, to: unknown.count, by: 16_000) {
      try ask(Array(unknown[start..<min(start + 16_000, unknown.count)]), at: place)
    }
  }

  private func ask(_ values: [Value], at place: LoadKey) throws {
    let entity = graph.schema.entities[place.entity]
    let path: [String]
    var slot: Slot?
    switch place.kind {
    case .attribute(let keySlot):
      path = [entity.properties[keySlot].name]
      slot = keySlot
    case .rowKey: path = []
    case .column: return
    }
    let request = FetchRequest(
      entity: entity.name,
      predicate: .comparison(
        Predicate.Comparison(.keyPath(path), .in, .list(values.map { .value($0) }))))
    // Straight from the store: the graph would lay every row staged so far over the answer.
    for page in try graph.store.fetch(request) {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        let value = slot.map { page.value(row: row, slot: $0) } ?? .key(key)
        // Several rows may have the same value where it is not unique: the first counts.
        if indexes[place]?[value] == nil {
          indexes[place, default: KeyIndex()][value] = KeyIndex.Entry(key: key, file: -1)
        }
      }
    }
    indexes[place, default: KeyIndex()].noteAbsent(values)
  }

  /// Lets references find an object by the values that it has now.
  func remember(_ object: ManagedObject, memoryKey: Value?) {
    for place in keys.places(of: object.entity) {
      let value: Value?
      switch place.kind {
      case .attribute(let slot): value = object.value(at: slot)
      case .rowKey: value = .key(object.key)
      case .column: value = memoryKey
      }
      if let value, !value.isNull {
        indexes[place, default: KeyIndex()][value] = KeyIndex.Entry(key: object.key, file: file)
      }
    }
  }

  /// The sentence for a reference that leads nowhere.
  func danglingReason(_ value: Value, at place: LoadKey) -> String {
    let entity = graph.schema.entities[place.entity].name
    return "there is no \(entity) with the \(keys.name(of: place)) \(value.shownInMessage)"
  }
}

extension Value {
  /// The value as a table of faults shows it.
  var shownPlainly: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let data): "\(data.count) bytes"
    }
  }

  /// The value inside a message.
  var shownInMessage: String {
    switch self {
    case .null: "nothing"
    case .integer(let integer): "“\(integer)”"
    case .real(let real): "“\(real)”"
    case .text(let text): "“\(text.shownInMessage)”"
    case .blob(let data): "of \(data.count) bytes"
    }
  }
}
