import DatastoreCore
import DatastoreSQL

/// The foreign keys and tables of pairs of relationships.
extension ModelFitting {
  mutating func placeToOne(_ link: RelationshipLink, _ entity: Entity, _ table: EntityIndex) {
    let name = link.description.name
    let candidates = [link.description.nameInFile, link.description.renamedFrom]
    let toOnes = file.schema.entities[table].slots.compactMap { slot in
      if case .toOne(let foreign) = file.entities[table].slots[slot] {
        return (name: file.schema.entities[table].properties[slot].name, foreign: foreign)
      }
      return nil as (name: String, foreign: ForeignKey)?
    }
    let found =
      Self.first(candidates, in: toOnes, \.name)
      ?? Self.first(candidates, in: toOnes.filter { $0.foreign.columns.count == 1 }) {
        $0.foreign.columns[0].name
      }
    guard let found else {
      differences.append(
        "table “\(file.entities[table].table)” has no foreign key “\(candidates.lastName)”, "
          + "which \(entity.name).\(name) needs")
      return
    }
    guard found.foreign.destination == tables[link.destination] else {
      differences.append(
        "\(place(found.foreign.names.joined(separator: ", "), table)) leads to "
          + "“\(file.entities[found.foreign.destination].table)”, "
          + "but \(entity.name).\(name) to \(model.entities[link.destination].name)")
      return
    }
    var foreign = found.foreign
    foreign.destination = link.destination
    slots[entity.index][link.slot] = .toOne(foreign)
    if !found.foreign.isWritable || descriptions[entity.index].isReadOnly {
      protect(link.slot, entity)
    }
  }

  mutating func placeToMany(_ entity: Entity) {
    for case let link? in entity.links where link.kind.isToMany {
      let name = "\(entity.name).\(link.description.name)"
      guard tables[link.destination] != nil else { continue }
      if link.kind == .orderedToMany {
        differences.append("\(name) is ordered, and no column of the file keeps its order")
        continue
      }
      if let inverse = link.inverseSlot,
        model.entities[link.destination].links[inverse]?.kind == .toOne
      {
        slots[entity.index][link.slot] = .toManyForeignKey(inverseSlot: inverse, orderColumn: nil)
      } else if let join = joinTable(of: link, entity) {
        slots[entity.index][link.slot] = .toManyJoin(join)
      } else {
        differences.append(
          "no table of pairs leads from “\(entity.name)” to "
            + "“\(model.entities[link.destination].name)” for \(name); where a foreign key leads back, "
            + "declare it as a to-one relationship and name the inverse")
      }
    }
  }

  /// The table of pairs with a name, or else the only one between both tables.
  private func joinTable(of link: RelationshipLink, _ entity: Entity) -> JoinTable? {
    guard let table = tables[entity.index], let other = tables[link.destination] else { return nil }
    let found = file.schema.entities[table]
    let joins = found.slots.compactMap { slot in
      if case .toManyJoin(let join) = file.entities[table].slots[slot],
        found.links[slot]?.destination == other
      {
        return (name: found.properties[slot].name, join: join)
      }
      return nil as (name: String, join: JoinTable)?
    }
    let candidates = [
      link.description.storedName ?? link.description.name, link.description.renamedFrom,
    ]
    return
      (Self.first(candidates, in: joins, \.name)
      ?? Self.first(candidates, in: joins, \.join.table)
      ?? (joins.count == 1 ? joins[0] : nil))?.join
  }
}

extension [String?] {
  fileprivate var lastName: String { compactMap(\.self).last ?? "" }
}
