package import DatastoreCore

/// How one entity shares a table with those it inherits from and those that inherit from it.
///
/// The table belongs to the root of the family and has the columns of all of them; one more column holds
/// the name of the entity that a row is of, or the number that another program has given it.
package struct FamilyMapping: Sendable {
  /// One entity whose rows are objects of this one.
  package struct Member: Sendable {
    package let entity: EntityIndex
    /// Its name in UTF-8: what the discriminator column holds, unless that holds numbers.
    package let name: [UInt8]
    /// What the discriminator column holds where that holds numbers.
    package let number: Int64?
    /// Slots of the member, with the places of their columns in `columns`, and whether each is a key.
    package let slots: [(slot: Slot, column: Int, isKey: Bool)]
  }

  /// The column that holds the name or the number of a row's entity.
  package let discriminator: String
  /// The names of the entities whose rows are objects of this one.
  package let names: [String]
  /// Whether every row of the table is an object of this one.
  let isRoot: Bool
  /// Every column that any member has.
  package let columns: [Column]
  /// This entity first; by itself when nothing inherits from it.
  package let members: [Member]

  /// - Parameters:
  ///   - numbers: by entity index, what the discriminator column holds; nil where it holds names.
  ///   - slots: by entity index, then slot.
  package init(
    _ entity: Entity, in schema: Schema, discriminator: String, numbers: ByEntity<Int64>? = nil,
    slots: ByEntity<BySlot<SlotMapping>>
  ) {
    self.discriminator = discriminator
    isRoot = entity.parent == nil
    names = entity.members.map { schema.entities[$0].name }
    var columns: [Column] = []
    var places: [String: Int] = [:]
    members = entity.members.map { member in
      let stored = slots[member].placed.compactMap {
        slot, mapped -> (slot: Slot, column: Int, isKey: Bool)? in
        let column: Column
        let isKey: Bool
        switch mapped {
        case .attribute(let stored): (column, isKey) = (stored, false)
        case .toOne(let foreign): (column, isKey) = (foreign.columns[0], true)
        case .toManyForeignKey, .toManyJoin: return nil
        }
        let place = places[column.name] ?? columns.count
        if places[column.name] == nil {
          places[column.name] = place
          columns.append(column)
        }
        return (slot, place, isKey)
      }
      return Member(
        entity: member, name: Array(schema.entities[member].name.utf8),
        number: numbers?[member], slots: stored)
    }
    self.columns = columns
  }

  private init(_ family: FamilyMapping, _ members: [Member]) {
    discriminator = family.discriminator
    isRoot = family.isRoot
    names = family.names
    columns = family.columns
    self.members = members
  }

  /// The same, where entities have other indexes.
  ///
  /// - Parameter places: by the index that an entity has had, the one that it gets.
  func placed(_ places: [EntityIndex]) -> FamilyMapping {
    FamilyMapping(
      self,
      members.map {
        Member(
          entity: places[$0.entity.rawValue], name: $0.name, number: $0.number, slots: $0.slots)
      })
  }

  /// Whether the discriminator column holds numbers.
  package var isNumbered: Bool { members[0].number != nil }

  /// The condition that a row under an alias is of this entity or a descendant; nil where all are.
  ///
  /// Another program's table may have rows of none. They are left out while all rows are read (`+` keeps
  /// SQLite from reading them by an index of the column, one entity after the other).
  package func condition(_ alias: String) -> SQLFragment? {
    if isRoot, !isNumbered { return nil }
    let isMember: SQLFragment = "\(name: alias).\(name: discriminator) IN (\(valueList))"
    return isRoot ? "+\(isMember)" : isMember
  }

  /// What the discriminator column holds, as literals, so that SQLite can choose a partial index.
  var valueList: SQLFragment { members.map(\.literal).joined(by: ", ") }

  /// The name of the entity of the row under an alias; NULL where there is no row.
  func entityName(_ alias: String) -> SQLFragment {
    let column: SQLFragment = "\(name: alias).\(name: discriminator)"
    guard isNumbered else { return column }
    let cases = zip(members, names).map { member, name -> SQLFragment in
      "WHEN \(member.literal) THEN \(literal: name)"
    }
    return "CASE \(column) \(cases.joined(by: " ")) END"
  }
}

extension FamilyMapping.Member {
  fileprivate var literal: SQLFragment {
    if let number { return "\(number: Int(number))" }
    return "\(literal: String(decoding: name, as: UTF8.self))"
  }
}
