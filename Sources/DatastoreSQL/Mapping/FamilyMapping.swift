package import DatastoreCore

/// The place of an entity in the table that it shares with its ancestors and descendants.
///
/// The table belongs to the root of the family and has the columns of all of them; one more column holds the
/// name of a row's entity, or the number that another program has assigned to it.
package struct FamilyMapping: Sendable {
  /// One entity whose rows are objects of this one.
  package struct Member: Sendable {
    package let entity: EntityIndex
    /// Its name in UTF-8, as in the discriminator column, unless that holds numbers.
    package let name: [UInt8]
    /// Its number in the discriminator column, if that holds numbers.
    package let number: Int64?
    /// Slots of the member, with the indices of their columns in `columns`, and whether each is a key.
    package let slots: [(slot: Slot, column: Int, isKey: Bool)]
  }

  /// The column with the name or the number of a row's entity.
  package let discriminator: String
  /// The names of the entities whose rows are objects of this one.
  package let names: [String]
  /// Whether every row of the table is an object of this one.
  let isRoot: Bool
  /// The columns of all members.
  package let columns: [Column]
  /// This entity first; only itself if it has no descendants.
  package let members: [Member]

  /// - Parameters:
  ///   - numbers: the entities' numbers in the discriminator column, by entity index; nil if it holds names.
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
        guard let column = mapped.columns.first else { return nil }
        let place = places[column.name] ?? columns.count
        if places[column.name] == nil {
          places[column.name] = place
          columns.append(column)
        }
        return (slot, place, mapped.attributeColumn == nil)
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

  /// The mapping for a schema with other entity indices.
  ///
  /// - Parameter places: the new index of an entity, by its old one.
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

  /// The entity whose name is in the discriminator column of a row. Compares bytes, without making
  /// text. O(members).
  ///
  /// - Throws: `StoreError.unknownMember`, also if the column holds numbers.
  package func member(named name: UnsafeRawBufferPointer, key: RowKey) throws -> Member {
    let found = members.first { $0.name.count == name.count && $0.name.elementsEqual(name) }
    if !isNumbered, let found { return found }
    throw StoreError.unknownMember(
      name: String(decoding: name, as: UTF8.self), key: key, known: names)
  }

  /// The condition that a row under an alias is of this entity or a descendant; nil if all are.
  ///
  /// A third-party table may have rows of no known entity. They are left out while all rows are read (`+`
  /// keeps SQLite from reading them by an index of the column, one entity after the other).
  package func condition(_ alias: String) -> SQLFragment? {
    if isRoot, !isNumbered { return nil }
    let isMember: SQLFragment = "\(name: alias).\(name: discriminator) IN (\(valueList))"
    return isRoot ? "+\(isMember)" : isMember
  }

  /// The values of the discriminator column as literals, so that SQLite can choose a partial index.
  var valueList: SQLFragment { members.map(\.literal).joined(by: ", ") }

  /// The name of the entity of the row under an alias; NULL if there is no row.
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
