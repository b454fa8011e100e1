import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Rows that are not what they were, as objects.
struct ComparedRows {
  private let mapping: SchemaMapping
  private let entity: Entity
  private let reader: RowReader
  private let row: RawStatement
  private let formerRow: RawStatement

  /// - Parameters:
  ///   - entity: one that inherits from none.
  ///   - former: where its former rows are.
  init(_ mapping: SchemaMapping, _ entity: Entity, now: Database, former: Database) throws {
    self.mapping = mapping
    self.entity = entity
    reader = RowReader(mapping, entity: entity.index)
    let builder = QueryBuilder(mapping)
    row = try RawStatement(builder.row(entity.index), in: now)
    formerRow = try RawStatement(builder.row(entity.index), in: former)
  }

  /// - Throws: `DatabaseError`; `TooManyRows` where there is no room for more keys.
  func objects(_ comparison: TableComparison) throws -> [StagedObject] {
    var objects: [StagedObject] = []
    for values in comparison.inserted {
      guard let new = try find(row, values) else { continue }
      objects.append(object(.inserted, old: nil, new: new, besides: nil))
    }
    for change in comparison.updated {
      guard let old = try find(formerRow, change.key), let new = try find(row, change.key) else {
        continue
      }
      objects.append(object(.updated, old: old, new: new, besides: change.columns))
    }
    for values in comparison.deleted {
      guard let old = try find(formerRow, values) else { continue }
      objects.append(object(.deleted, old: old, new: nil, besides: nil))
    }
    return objects
  }

  private func find(_ statement: RawStatement, _ values: [Value]) throws -> RowReference? {
    let key = try mapping.key(entity.index, values)
    sqlite3_reset(statement.pointer)
    statement.bind(key, at: 1)
    guard try statement.step() else { return nil }
    let page = RowPage(columnCount: entity.pageColumnCount, rowCapacity: 1)
    try reader.readAny(statement.pointer, key: key, into: page)
    page.seal()
    return RowReference(page, 0)
  }

  /// - Parameter columns: those that hold something else than before, in lower case; nil tells all that are not
  ///   NULL.
  private func object(
    _ kind: StagedObject.Kind, old: RowReference?, new: RowReference?, besides columns: Set<String>?
  ) -> StagedObject {
    // A row may have become one of another entity of the family; it is what it is now.
    guard let row = new ?? old else { trap("a row was, or is there") }
    let index = entity.index(ofRow: row.row, in: row.page)
    let entity = mapping.schema.entities[index]
    func value(_ row: RowReference?, _ slot: Slot) -> Value {
      row.map { $0.page.value(row: $0.row, slot: slot) } ?? .null
    }
    let changes = entity.slots.compactMap { slot -> StagedObject.Change? in
      let names: [String]
      switch mapping.entities[index].slots[slot] {
      case .attribute(let column): names = column.isGenerated ? [] : [column.name]
      case .toOne(let foreign): names = foreign.names
      case .toManyForeignKey, .toManyJoin: return nil
      }
      let change = StagedObject.Change(slot: slot, old: value(old, slot), new: value(new, slot))
      if let columns {
        return names.contains { columns.contains($0.caselessKey) } ? change : nil
      }
      return names.isEmpty || change.old.isNull && change.new.isNull ? nil : change
    }
    return StagedObject(
      entity: index, key: row.page.key(ofRow: row.row), kind: kind, changes: changes, members: [],
      row: old.map { old in BySlot(entity.slots.map { value(old, $0) }) } ?? [])
  }
}

/// Pairs of a join table that came and went, as members of its first side.
struct ComparedPairs {
  private let mapping: SchemaMapping
  private let join: JoinTable
  private let owner: EntityIndex
  private let slot: Slot
  private let member: EntityIndex
  private let columns: ComparedColumns
  private let now: Database
  private let former: Database

  init(
    _ mapping: SchemaMapping, _ join: JoinTable, _ columns: ComparedColumns,
    of link: RelationshipLink,
    _ owner: EntityIndex, _ slot: Slot, now: Database, former: Database
  ) {
    self.mapping = mapping
    self.join = join
    self.columns = columns
    self.owner = owner
    self.slot = slot
    member = link.destination
    self.now = now
    self.former = former
  }

  /// By owner. Pairs that refer to rows by other columns than their keys are left out.
  ///
  /// - Throws: `DatabaseError`; `TooManyRows` where there is no room for more keys.
  func changes(_ comparison: TableComparison) throws -> [RowKey: StagedObject.MemberChange] {
    let changed = comparison.updated.map(\.key)
    let added = try pairs(comparison.inserted + changed, in: now)
    let removed = try pairs(comparison.deleted + changed, in: former)
    // A row that was written again, or has got another number, may hold the same pair.
    let (new, old) = (Set(added), Set(removed))
    var changes: [RowKey: StagedObject.MemberChange] = [:]
    for owner in Set((added + removed).map(\.owner)) {
      let change = StagedObject.MemberChange(
        slot: slot, added: new.subtracting(old).filter { $0.owner == owner }.map(\.member).sorted(),
        removed: old.subtracting(new).filter { $0.owner == owner }.map(\.member).sorted(),
        order: nil)
      if !change.added.isEmpty || !change.removed.isEmpty { changes[owner] = change }
    }
    return changes
  }

  private struct Pair: Hashable {
    let owner: RowKey
    let member: RowKey
  }

  private func pairs(_ keys: [[Value]], in database: Database) throws -> [Pair] {
    let statement = try RawStatement(
      columns.values(of: join.ownColumns + join.otherColumns), in: database)
    return try keys.compactMap { values in
      sqlite3_reset(statement.pointer)
      for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index + 1)) }
      guard try statement.step() else { return nil }
      let ends = (0..<join.ownColumns.count + join.otherColumns.count).map {
        statement.value(at: Int32($0))
      }
      guard
        let owner = try key(
          owner, Array(ends.prefix(join.ownColumns.count)), join.ownReference),
        let member = try key(
          member, Array(ends.dropFirst(join.ownColumns.count)), join.otherReference)
      else { return nil }
      return Pair(owner: owner, member: member)
    }
  }

  private func key(
    _ entity: EntityIndex, _ values: [Value], _ reference: KeyReference
  ) throws -> RowKey? {
    switch reference {
    case .rowid:
      guard case .integer(let number)? = values.first else { return nil }
      return RowKey(number)
    case .primaryKey: return try mapping.key(entity, values)
    case .columns: return nil
    }
  }
}

extension SchemaMapping {
  /// The number of a row's key in this store.
  ///
  /// - Throws: `TooManyRows` where there is no room for more keys.
  fileprivate func key(_ entity: EntityIndex, _ values: [Value]) throws(TooManyRows) -> RowKey {
    if case .rowid = entities[entity].key, case .integer(let number)? = values.first {
      return RowKey(number)
    }
    return try keyTables[entity].number(of: values)
  }
}
