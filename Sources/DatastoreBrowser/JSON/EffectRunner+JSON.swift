import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Finds the members of the JSON objects in a column of the first rows.
  static func findMembers(of column: TableColumn, in query: TableQuery) -> Effect {
    .answer(in: Lane("members of JSON", .latest)) {
      try await $0.members(of: column, in: query)
    } then: { state, members in
      guard state.table?.query.entity == query.entity else { return }
      switch members {
      case .success([]):
        state.tell("\(column.name) has no JSON objects in its first rows.", .warning)
      case .success(let members): state.expand(column, members)
      case .failure(let failure): state.tell(failure.message, .error)
      }
    }
  }
}

extension EffectRunner {
  /// The number of rows that are searched.
  private static let sampled = 1_000

  /// The names of members, in the order in which they occur.
  fileprivate func members(of column: TableColumn, in query: TableQuery) async throws -> [String] {
    var request = query.request(in: schema)
    request.limit = Self.sampled
    return try await view.objects(of: request).map { column.value.value(of: $0) }.jsonMemberNames
  }

  /// The elements of arrays: a column for each member of elements that are objects, and one for the others.
  func elements(
    of column: TableColumn, in references: [ObjectReference]
  ) async throws -> DerivedRows {
    guard let entity = references.first?.entity else { return DerivedRows(columns: [], rows: []) }
    let objects = try await view.load(entity: entity, keys: references.map(\.key))
    let names = try await names(of: objects, as: entity)
    let elements = objects.flatMap { object in
      (column.value.value(of: object).jsonElements ?? []).enumerated().map {
        (owner: ObjectReference(entity: entity, key: object.key), place: $0, value: $1)
      }
    }
    guard !elements.isEmpty else {
      throw DerivedTableFault(
        description: "There is no JSON array with elements in \(column.name) here.")
    }
    var places: [String: Int] = [:]
    var hasPlainValues = false
    let found = elements.map { _, _, value -> (plain: Value, cells: [Value]) in
      guard let members = value.jsonMembers else {
        hasPlainValues = true
        return (value, [])
      }
      var cells: [Value] = []
      for (name, value) in members {
        let place = places[name] ?? places.count
        places[name] = place
        if place >= cells.count { cells += repeatElement(.null, count: place + 1 - cells.count) }
        if cells[place].isNull { cells[place] = value }
      }
      return (.null, cells)
    }
    let titles = places.sorted { $0.value < $1.value }.map(\.key)
    let first: [DerivedRows.Column] = [.text("row"), .number("element")]
    let plain = hasPlainValues ? [DerivedRows.Column(name: "value")] : []
    let rows = zip(elements, found).map { element, found -> [Value] in
      let key = element.owner.key
      var row: [Value] = [
        names[key].map { .text($0) } ?? .key(key), .integer(Int64(element.place)),
      ]
      if hasPlainValues { row.append(found.plain) }
      row += found.cells
      return row + repeatElement(.null, count: titles.count - found.cells.count)
    }
    let owners = elements.map(\.owner)
    return DerivedRows(
      columns: first + plain + titles.map { DerivedRows.Column(name: $0) }, rows: rows,
      enter: .goToObject
    ) { rows, _ in
      guard let first = rows.first else { return nil }
      return { $0.goTo(owners[first], slot: nil) }
    }
  }
}
