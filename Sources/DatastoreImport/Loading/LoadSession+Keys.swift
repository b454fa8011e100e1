import DatastoreCore

extension LoadSession {
  /// Looks up in the store those keys that are not known yet.
  func lookUp(_ keys: [KeyValues], at place: LoadKey) throws {
    guard !isNewStore, place.kind != .column else { return }
    let index = indexes[place] ?? KeyIndex()
    var seen: Set<KeyValues> = []
    let unknown = keys.filter { index.isUnknown($0) && seen.insert($0).inserted }
    var step = 16_000
    // SQLite takes 32,766 values in one statement, and conditions as deep as 1,000:
    // https://www.sqlite.org/limits.html
    if case .columns = place.kind { step = 200 }
    for start in stride(from: 0, to: unknown.count, by: step) {
      try ask(Array(unknown[start..<min(start + step, unknown.count)]), at: place)
    }
  }

  private func ask(_ wanted: [KeyValues], at place: LoadKey) throws {
    let predicate: Predicate
    var ways: [[Slot]] = []
    switch place.kind {
    case .attribute(let slot):
      ways = [[slot]]
      predicate = isOneOf(wanted, keys.names(of: place))
    case .rowKey: predicate = isOneOf(wanted, [])
    case .columns(let columns):
      ways = columns
      let paths = ways.map { keys.names(on: $0, of: place.entity) }
      predicate = .or(
        wanted.map { key in
          .and(
            zip(paths, key.all).map {
              .comparison(Predicate.Comparison(.keyPath($0), .equal, .value($1)))
            })
        })
    case .column: return
    }
    // Directly from the store: the graph would merge every row staged so far into the answer.
    let pages = try graph.store.fetch(
      FetchRequest(entity: graph.schema.entities[place.entity].name, predicate: predicate))
    let columns = try ways.map { try values(on: $0, of: place.entity, in: pages) }
    // Several rows may have the same value if it is not unique: references lead to the first.
    var found: [KeyValues: KeyIndex.Entry] = [:]
    for page in pages {
      for row in 0..<page.rowCount {
        let key = page.key(ofRow: row)
        let values = KeyValues(columns.isEmpty ? [.key(key)] : columns.map { $0[key] ?? .null })
        found[values, default: KeyIndex.Entry(key: key, file: -1, storedCount: 0)].storedCount += 1
      }
    }
    for (values, entry) in found where indexes[place]?[values] == nil {
      indexes[place, default: KeyIndex()][values] = entry
    }
    indexes[place, default: KeyIndex()].markAbsent(wanted)
  }

  private func isOneOf(_ keys: [KeyValues], _ path: [String]) -> Predicate {
    .comparison(
      Predicate.Comparison(.keyPath(path), .in, .list(keys.map { .value($0.first) })))
  }

  /// The values of stored rows at the end of a path, by their keys.
  private func values(
    on way: [Slot], of entity: EntityIndex, in pages: [RowPage]
  ) throws -> [RowKey: Value] {
    guard let slot = way.first else { return [:] }
    var values: [RowKey: Value] = [:]
    for page in pages {
      for row in 0..<page.rowCount {
        values[page.key(ofRow: row)] = page.value(row: row, slot: slot)
      }
    }
    guard let link = graph.schema.entities[entity].links[slot] else { return values }
    let related = Set(values.values.compactMap(\.key))
    let found = try self.values(
      on: Array(way.dropFirst()), of: link.destination,
      in: graph.store.rows(entity: link.destination, keys: Array(related)))
    return values.compactMapValues { $0.key.flatMap { found[$0] } }
  }

  /// Lets references find an object by its current values.
  func remember(_ object: ManagedObject, _ row: PreparedRow) {
    for place in keys.places(of: object.entity) {
      let key: KeyValues
      switch place.kind {
      case .attribute(let slot): key = KeyValues(object.value(at: slot))
      // No file knows the number that a new row gets.
      case .rowKey: key = KeyValues(row.formerNumber ?? .null)
      case .column: key = KeyValues(row.key ?? .null)
      case .columns(let ways): key = KeyValues(ways.map { value(on: $0[...], of: object, row) })
      }
      if !key.isNull {
        indexes[place, default: KeyIndex()][key] = KeyIndex.Entry(key: object.key, file: file)
      }
    }
  }

  /// The value of an object at the end of a path, once the references of its row are set.
  private func value(
    on way: ArraySlice<Slot>, of object: ManagedObject, _ row: PreparedRow?
  ) -> Value {
    guard let slot = way.first else { return .null }
    if way.count == 1 { return object.value(at: slot) }
    let rest = way.dropFirst()
    guard let reference = row?.references.first(where: { $0.target.slot == slot }) else {
      return object.related(at: slot).map { value(on: rest, of: $0, nil) } ?? .null
    }
    guard let key = reference.keys.first else { return .null }
    switch reference.target.place.kind {
    case .attribute(let known) where rest.count == 1 && rest.first == known: return key.first
    case .columns(let ways):
      if let index = ways.firstIndex(of: Array(rest)) { return key.all[index] }
    default: break
    }
    // The file identifies the destination by another key.
    guard let entry = indexes[reference.target.place]?[key] else { return .null }
    let destination = graph.object(entity: reference.target.link.destination, key: entry.key)
    return value(on: rest, of: destination, nil)
  }

  /// The sentence for a reference that leads nowhere.
  func danglingReason(_ key: KeyValues, at place: LoadKey) -> String {
    let entity = graph.schema.entities[place.entity].name
    let parts = zip(keys.names(of: place), key.all).map { "the \($0) \($1.shownInMessage)" }
    return "there is no \(entity) with \(parts.joined(separator: " and "))"
  }
}

extension Value {
  /// The value as shown in a table of faults.
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
