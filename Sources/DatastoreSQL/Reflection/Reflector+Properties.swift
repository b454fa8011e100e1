import Basics
import DatastoreCore

extension Reflector {
  /// Attributes and to-one relationships, in the order of the columns.
  mutating func addColumns(_ entity: EntityIndex, _ keys: [ResolvedKey]) {
    let table = self.table(entity)
    // By the exact keys of columns. References of single columns are claimed first, then those of several
    // columns together.
    var claimedBy: [String: Int] = [:]
    for (index, key) in keys.enumerated() where key.columns.count == 1 {
      if isClaimable(key.columns, table, claimedBy) { claimedBy[key.columns[0].exactKey] = index }
    }
    for (index, key) in keys.enumerated() where key.columns.count > 1 {
      if isClaimable(key.columns, table, claimedBy) {
        for column in key.columns { claimedBy[column.exactKey] = index }
      }
    }
    entities[entity].names = Set(
      table.columns.filter { claimedBy[$0.name.exactKey] == nil }.map(\.name))
    var added: Set<Int> = []
    for (position, column) in table.columns.enumerated() {
      guard let claim = claimedBy[column.name.exactKey] else {
        addAttribute(column, position, table, entity)
        continue
      }
      if added.insert(claim).inserted { addToOne(keys[claim], isWritable: true, entity) }
    }
    for (index, key) in keys.enumerated() where !added.contains(index) {
      addToOne(key, isWritable: false, entity)
    }
  }

  private func isClaimable(
    _ columns: [String], _ table: Table, _ claimed: [String: Int]
  ) -> Bool {
    let areFree = columns.allSatisfy { name in
      claimed[name.exactKey] == nil && !(table.rowidColumn?.isExactly(name) ?? false)
        && table.column(name)?.isGenerated == false
    }
    guard areFree else { return false }
    // Without its object, a relationship leaves its columns empty.
    let required = columns.filter {
      table.column($0)?.isNotNull == true || table.primaryKey.contains($0)
    }
    return columns.count == 1 || required.isEmpty || required.count == columns.count
  }

  func mapped(_ column: Table.Column, _ table: Table) -> Column {
    var mapped = table.mapped(column)
    mapped.wordIndex = wordIndex(of: column.name, in: table)
    return mapped
  }

  private mutating func addAttribute(
    _ column: Table.Column, _ position: Int, _ table: Table, _ entity: EntityIndex
  ) {
    let mapped = self.mapped(column, table)
    let isRowid = table.rowidColumn?.isExactly(column.name) ?? false
    // Names that differ only in Unicode normalization are equal in Swift.
    let isFree = !column.name.isEmpty && !entities[entity].ownNames.contains(column.name)
    let name =
      isFree
      ? column.name
      : freeName([column.name.isEmpty ? "column_\(position + 1)" : column.name], in: entity)
    entities[entity].ownNames.insert(name)
    var attribute = AttributeDescription(
      name: name, type: table.attributeType(of: column),
      isOptional: !column.isNotNull || isRowid || mapped.hasComputedDefault || mapped.isGenerated,
      defaultValue: table.fallback(of: column),
      isIndexed: table.indexes.contains { !$0.isUnique && $0.columns.isExactly([column.name]) },
      isUnique: isRowid || table.primaryKey.isExactly([column.name])
        || table.indexes.contains { $0.isUnique && $0.columns.isExactly([column.name]) },
      isReadOnly: mapped.isGenerated || isReadOnly(entity), declaredType: column.shownType,
      storedName: isFree || column.name.isEmpty ? nil : column.name)
    attribute.dateConvention = dates[table.name.exactKey]?[column.name.exactKey]
    add(.attribute(attribute), .attribute(mapped), to: entity)
    entities[entity].propertyOfColumn[column.name.exactKey] = name
  }

  private mutating func addToOne(_ key: ResolvedKey, isWritable: Bool, _ entity: EntityIndex) {
    let table = self.table(entity)
    let destination = entities[key.destination].name
    let column = key.columns[0]
    let candidates =
      key.columns.count == 1
      ? [Self.relationshipName(of: column), column, destination] : [destination]
    // Each of several columns keeps its name.
    if key.columns.count > 1 { entities[entity].names.formUnion(key.columns) }
    let name = freeName(candidates, in: entity)
    var relationship = RelationshipDescription(
      name: name, kind: .toOne, destination: destination,
      isReadOnly: !isWritable || isReadOnly(entity))
    if key.columns.count == 1, key.reference != .rowid { relationship.referred = key.referenced[0] }
    let foreign = ForeignKey(
      columns: key.columns.compactMap { table.column($0) }.map { mapped($0, table) },
      destination: key.destination, reference: key.reference, isWritable: isWritable,
      isIndexed: table.isIndexed(key.columns))
    add(.relationship(relationship), .toOne(foreign), to: entity)
    guard isWritable else { return }
    for (own, referenced) in zip(key.columns, key.referenced) {
      // A rowid is the key itself.
      let path = key.reference == .rowid ? [name] : [name, referenced]
      if own != name { entities[entity].aliases[own] = path }
      entities[entity].propertyOfColumn[own.exactKey] = name
    }
  }

  /// The to-many relationships that are inverses of this entity's to-one ones.
  mutating func addInverses(_ entity: EntityIndex, _ keys: [ResolvedKey]) {
    let name = entities[entity].name
    let toOnes = entities[entity].slots.indices.filter {
      if case .toOne = entities[entity].slots[$0] { return true }
      return false
    }
    for slot in toOnes {
      guard case .toOne(let foreign) = entities[entity].slots[slot],
        case .relationship(var relationship) = entities[entity].properties[slot]
      else { continue }
      let rivals = toOnes.filter {
        if case .toOne(let other) = entities[entity].slots[$0] {
          return other.destination == foreign.destination
        }
        return false
      }
      let long = "\(name)_\(relationship.name)"
      let inverse = freeName(
        rivals.count > 1 ? [long] : [name, long], in: foreign.destination)
      relationship.inverse = inverse
      entities[entity].properties[slot] = .relationship(relationship)
      let action = keys.first {
        $0.destination == foreign.destination && $0.columns == foreign.names
      }?.onDelete
      add(
        .relationship(
          RelationshipDescription(
            name: inverse, kind: .toMany, destination: name, inverse: relationship.name,
            deleteRule: Self.deleteRule(action ?? ""), isReadOnly: relationship.isReadOnly)),
        .toManyForeignKey(inverseSlot: slot, orderColumn: nil), to: foreign.destination)
    }
  }

  /// A table of pairs as a read-only entity: its columns unchanged, so that pairs with a missing end are
  /// visible, and relationships to both ends, without inverses.
  mutating func addJoinEntity(_ index: Int) {
    let entity = addDraft(index, isJoinTable: true)
    let table = tables[index]
    entityByTable[Table.distinguished(table.name)] = entity
    for (position, column) in table.columns.enumerated() {
      addAttribute(column, position, table, entity)
    }
    for key in resolvedKeys(of: entity) { addToOne(key, isWritable: false, entity) }
  }

  /// The two sides of a table of pairs.
  mutating func addManyToMany(_ join: Table) {
    let sides = join.foreignKeys.compactMap { key -> (ResolvedKey, String)? in
      guard let destination = entityByTable[Table.distinguished(key.table)],
        let found = reference(key, from: join, to: table(destination))
      else { return nil }
      let resolved = ResolvedKey(
        destination: destination, reference: found.reference, columns: found.columns,
        referenced: found.referenced, onDelete: key.onDelete)
      return (resolved, Self.relationshipName(of: key.columns[0]))
    }
    guard sides.count == 2 else { return }
    let (first, firstName) = sides[0]
    let (second, secondName) = sides[1]
    let isSelf = first.destination == second.destination
    func names(_ other: ResolvedKey, _ column: String) -> [String] {
      (isSelf ? [column] : [entities[other.destination].name]) + [
        join.name, "\(join.name)_\(column)",
      ]
    }
    let forward = freeName(names(second, secondName), in: first.destination)
    if isSelf { entities[first.destination].names.insert(forward) }
    let backward = freeName(names(first, firstName), in: second.destination)
    let mayRepeat = !join.isUnique(first.columns + second.columns)
    func add(_ own: ResolvedKey, _ other: ResolvedKey, _ name: String, _ inverse: String) {
      self.add(
        .relationship(
          RelationshipDescription(
            name: name, kind: .toMany, destination: entities[other.destination].name,
            inverse: inverse)),
        .toManyJoin(
          JoinTable(
            table: join.storedName, namespace: join.namespace, ownColumns: own.columns,
            ownReference: own.reference,
            otherColumns: other.columns, otherReference: other.reference, mayRepeat: mayRepeat,
            isIndexed: join.isIndexed(own.columns))),
        to: own.destination)
    }
    add(first, second, forward, backward)
    add(second, first, backward, forward)
  }
}
