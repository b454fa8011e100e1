import Basics
import DatastoreCore
import DatastoreSQL

/// The storage of to-many relationships.
extension CoreDataTables {
  /// The place of a to-many relationship; nil if the file has none.
  func place(
    of relationship: CoreDataModel.Relationship, in entity: CoreDataModel.Entity
  ) -> Place? {
    guard let destination = byName[relationship.destination] else { return nil }
    guard let name = relationship.inverse,
      let inverse = declaring(name, in: destination.name)
    else { return columnOfOwner(relationship, entity, destination) }
    if inverse.relationship.isToMany {
      return pairs(relationship, entity, inverse.relationship, inverse.entity)
    }
    guard case .toOne(let column)? = places[inverse.entity.name]?[name] else { return nil }
    return .toMany(column, order: orderColumn(for: column.name, in: table(of: destination)))
  }

  /// The column of the destination's table for a relationship without an inverse.
  private func columnOfOwner(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    _ destination: CoreDataModel.Entity
  ) -> Place? {
    let table = table(of: destination)
    let name = "Z\(number(owner))\(relationship.name.uppercased())"
    guard let column = table.column(numbered: name) else { return nil }
    return .toMany(column, order: orderColumn(for: column.name, in: table))
  }

  /// The table of pairs of a relationship and its inverse.
  private func pairs(
    _ relationship: CoreDataModel.Relationship, _ owner: CoreDataModel.Entity,
    _ inverse: CoreDataModel.Relationship, _ other: CoreDataModel.Entity
  ) -> Place? {
    let ways = [(owner, relationship), (other, inverse)].map {
      "\(number($0))\($1.name.uppercased())"
    }
    // Either side may have named the table.
    guard let found = ways.lazy.compactMap({ self.table("Z_\($0)") }).first else { return nil }
    let table = IndexedTable(found)
    let memberName = "Z_\(number(other))\(relationship.name.uppercased())"
    if relationship.name == inverse.name, owner.name == other.name {
      guard let own = table.column("REFLEXIVE"), let member = table.column(numbered: memberName)
      else { return nil }
      let order = orderColumn(for: member.name, in: table)
      // If the order of one direction is stored, that of both is.
      return .pairs(
        JoinTable(
          table: table.name, ownColumns: [own.name], ownReference: .rowid,
          otherColumns: [member.name], otherReference: .rowid, orderColumn: order,
          isSymmetric: order == nil))
    }
    let ownName = "Z_\(number(owner))\(inverse.name.uppercased())"
    guard let own = table.column(numbered: ownName),
      let member = table.column(numbered: memberName, besides: own.name)
    else { return nil }
    return .pairs(
      JoinTable(
        table: table.name, ownColumns: [own.name], ownReference: .rowid,
        otherColumns: [member.name], otherReference: .rowid,
        orderColumn: orderColumn(for: member.name, in: table),
        otherOrderColumn: orderColumn(for: own.name, in: table),
        isIndexed: table.isIndexed(own)))
  }

  private func number(_ entity: CoreDataModel.Entity) -> Int64 { numbers[entity.name] ?? 0 }

  /// The column for the order of the rows that a column refers to, or is in.
  private func orderColumn(for column: String, in table: IndexedTable) -> String? {
    let rest = column.hasPrefix("Z_") ? column.dropFirst(2) : column.dropFirst()
    return table.column("Z_FOK_\(rest)")?.name
  }
}
