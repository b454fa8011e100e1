import DatastoreCore
import SwiftDatastore

extension Lane {
  /// Looking for what JSON in a column has.
  static let jsonMembers = Lane("members of JSON", .latest)
}

extension Effect {
  /// Finds the members of the objects that the first rows have in a column.
  static func findMembers(of column: TableColumn, in query: TableQuery) -> Effect {
    .work { runner in
      runner.answer(in: .jsonMembers) {
        try await $0.members(of: column, in: query)
      } as: {
        MembersFound(column: column, entity: query.entity, members: $0)
      }
    }
  }
}

struct MembersFound: BrowserEvent {
  let column: TableColumn
  let entity: EntityIndex
  let members: Result<[String], EffectFailure>

  func apply(to state: inout BrowserState) {
    guard state.table?.query.entity == entity else { return }
    switch members {
    case .success([]):
      state.message = BrowserState.Message(
        text: "\(column.name) has no JSON objects in its first rows.", severity: .warning)
    case .success(let members): state.expand(column, members)
    case .failure(let failure):
      state.message = BrowserState.Message(text: failure.message, severity: .error)
    }
  }
}

extension EffectRunner {
  /// So many rows are looked at.
  private static let sampled = 1_000

  /// The names of members, in the order in which they are met.
  fileprivate func members(of column: TableColumn, in query: TableQuery) async throws -> [String] {
    var request = query.request(in: schema)
    request.limit = Self.sampled
    var members: [String] = []
    var known: Set<String> = []
    for object in try await view.objects(of: request) {
      for (name, _) in column.value.value(of: object).jsonMembers ?? []
      where known.insert(name).inserted {
        members.append(name)
      }
    }
    return members
  }

  /// The elements of arrays: a column for each member of those that are objects, and one for the others.
  func elements(
    of column: TableColumn, in references: [ObjectReference]
  ) async throws -> DerivedRows {
    guard let entity = references.first?.entity else { return DerivedRows(columns: [], rows: []) }
    let objects = try await view.load(entity: entity, keys: references.map(\.key))
    let names = try await names(of: objects, as: entity)
    var members: [String: Int] = [:]
    var titles: [String] = []
    var elements: [(owner: ObjectReference, place: Int, value: Value)] = []
    for object in objects {
      let owner = ObjectReference(entity: entity, key: object.key)
      let found = column.value.value(of: object).jsonElements ?? []
      elements += found.enumerated().map { (owner, $0.offset, $0.element) }
    }
    var hasPlainValues = false
    for (_, _, value) in elements {
      guard let found = value.jsonMembers else {
        hasPlainValues = true
        continue
      }
      for (name, _) in found where members[name] == nil {
        members[name] = members.count
        titles.append(name)
      }
    }
    guard !elements.isEmpty else {
      throw DerivedTableFault(
        description: "There is no JSON array with elements in \(column.name) here.")
    }
    let first: [DerivedRows.Column] = [.text("row"), .number("element")]
    let plain = hasPlainValues ? [DerivedRows.Column(name: "value")] : []
    let rows = elements.map { owner, place, value -> [Value] in
      var cells = [Value](repeating: .null, count: titles.count)
      let object = value.jsonMembers
      for (name, value) in object ?? [] {
        if let index = members[name], cells[index].isNull { cells[index] = value }
      }
      let name = names[owner.key].map { Value.text($0) } ?? .key(owner.key)
      let own: [Value] = hasPlainValues ? [object == nil ? value : .null] : []
      return [name, .integer(Int64(place))] + own + cells
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
