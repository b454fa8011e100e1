import DatastoreCore

extension ValueQuery {
  /// Lets columns of relationships show what identifies the related objects, under the path to it
  /// (`country.code`), in place of the number of a row: by it `load` finds them, in any store.
  mutating func identifyObjects(of entity: Entity, in store: any StoreEngine) {
    guard grouping == nil, !store.isCoreData, let key = store.keyColumn(of: entity) else { return }
    let all = Self.columns(of: entity, key: key.name, in: store)
    columns =
      columns.isEmpty
      ? all
      : columns.flatMap { $0.term == .everything ? all : [Self.identified($0, of: entity, store)] }
  }

  /// All columns of an entity, each relationship by what identifies its object.
  private static func columns(
    of entity: Entity, key: String, in store: any StoreEngine
  ) -> [QueryColumn] {
    func column(_ term: QueryColumn.Term, _ name: String) -> QueryColumn {
      var column = QueryColumn(term, from: entity, in: store.schema)
      column.name = name
      return column
    }
    var columns = [column(.key([]), key)]
    // Otherwise all rows are of the same entity.
    if entity.members.count > 1 {
      columns.append(
        column(.value(.keyPath([PredicatePath.entityStep])), PredicatePath.entityStep))
    }
    for slot in entity.slots {
      let name = entity.properties[slot].name
      if let path = store.identifyingPath(of: slot, in: entity) {
        columns.append(column(.value(.keyPath(path)), path.joined(separator: ".")))
        continue
      }
      for stored in store.storedColumns(of: slot, in: entity) {
        if let own = stored.storedName, let path = entity.description.aliases[own] {
          columns.append(column(.value(.keyPath(path)), own))
        } else {
          columns.append(
            column(entity.links[slot] == nil ? .value(.keyPath([name])) : .key([name]), name))
        }
      }
    }
    return columns
  }

  private static func identified(
    _ column: QueryColumn, of entity: Entity, _ store: any StoreEngine
  ) -> QueryColumn {
    guard case .value(.keyPath(let path)) = column.term, let last = path.last else { return column }
    var owner = entity
    for step in path.dropLast() {
      guard let slot = owner.slot(named: step), let link = owner.links[slot] else { return column }
      owner = store.schema.entities[link.destination]
    }
    guard let slot = owner.slot(named: last),
      let end = store.identifyingPath(of: slot, in: owner)
    else { return column }
    let whole = path.dropLast() + end
    var identified = QueryColumn(.value(.keyPath(Array(whole))), from: entity, in: store.schema)
    identified.name = column.isRenamed ? column.name : whole.joined(separator: ".")
    return identified
  }
}
