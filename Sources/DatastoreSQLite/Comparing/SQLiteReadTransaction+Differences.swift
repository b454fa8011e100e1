import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// What has become of the rows of a file since it was opened.
extension BaselineQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> any StoreBaseline {
    try TableCopies(transaction)
  }
}

extension DifferencesQuestion: FileQuestion {
  func answer(in transaction: SQLiteReadTransaction) throws -> StoreDifferences {
    guard let copies = baseline as? TableCopies else {
      trap("a baseline is asked for by the engine that has made it")
    }
    return try transaction.differences(copies, limit)
  }
}

extension SQLiteReadTransaction {
  fileprivate func differences(_ copies: TableCopies, _ limit: Int) throws -> StoreDifferences {
    var differences = StoreDifferences()
    let tables = Dictionary(
      try FileTable.all(in: database).map { ($0.name.caselessKey, $0) },
      uniquingKeysWith: { first, _ in first })
    var pairs: Set<String> = []
    for entity in schema.entities where entity.parent == nil {
      let mapped = mapping.entities[entity.index]
      guard mapped.kind == .table, mapped.unreadableReason == nil,
        let table = tables[mapped.table.caselessKey]
      else { continue }
      var part = StoreDifferences.Part(entity: entity.index)
      try compare(table, copies, limit, &differences) { comparison, _, former in
        let rows = try ComparedRows(mapping, entity, now: database, former: former)
        part.inserted = comparison.insertedCount
        part.deleted = comparison.deletedCount
        part.updated = comparison.updatedCount
        part.objects = try rows.objects(comparison)
      }
      try addMembers(of: entity, tables, copies, limit, &pairs, to: &part, &differences)
      if part.count > 0 { differences.parts.append(part) }
    }
    return differences
  }

  /// Compares a table, or says why that cannot be done.
  private func compare(
    _ table: FileTable, _ copies: TableCopies, _ limit: Int,
    _ differences: inout StoreDifferences,
    _ body: (TableComparison, ComparedColumns, _ former: Database) throws -> Void
  ) throws {
    guard var columns = ComparedColumns(table) else {
      differences.leftOut.append(
        (table.name, "nothing but their values distinguishes its rows"))
      return
    }
    // What no property shows, such as the place in a list, is nobody's to be told.
    let shown = mapping.columns(of: table.name)
    let reason = try copies.read(columns, mapping) { former, count in
      columns.stored.removeAll { !shown.contains($0.caselessKey) }
      let comparison = try TableComparison(
        columns, now: database, former: former, count: count, limit: limit)
      try body(comparison, columns, former)
    }
    if let reason { differences.leftOut.append((table.name, reason)) }
  }

  /// Adds the pairs of join tables that came and went, as members of the objects of their first side.
  ///
  /// - Parameter seen: the join tables whose first side was there before.
  private func addMembers(
    of entity: Entity, _ tables: [String: FileTable], _ copies: TableCopies, _ limit: Int,
    _ seen: inout Set<String>, to part: inout StoreDifferences.Part,
    _ differences: inout StoreDifferences
  ) throws {
    for index in entity.members {
      let member = schema.entities[index]
      for slot in member.slots {
        guard case .toManyJoin(let join) = mapping.entities[index].slots[slot],
          let link = member.links[slot], let table = tables[join.table.caselessKey],
          seen.insert(join.table.caselessKey).inserted
        else { continue }
        var changes: [RowKey: StagedObject.MemberChange] = [:]
        try compare(table, copies, limit, &differences) { comparison, columns, former in
          changes = try ComparedPairs(
            mapping, join, columns, of: link, index, slot, now: database, former: former
          ).changes(comparison)
        }
        for (owner, change) in changes.sorted(by: { $0.key < $1.key }) {
          if let place = part.objects.firstIndex(where: { $0.key == owner }) {
            part.objects[place].members.append(change)
          } else {
            part.updated += 1
            part.objects.append(
              StagedObject(
                entity: index, key: owner, kind: .updated, changes: [], members: [change],
                row: []))
          }
        }
      }
    }
  }
}

extension SchemaMapping {
  /// The columns of a table that properties are kept in, in lower case.
  fileprivate func columns(of table: String) -> Set<String> {
    var names: Set<String> = []
    for mapped in entities {
      let isIt = mapped.table.caselessKey == table.caselessKey
      if isIt, let family = mapped.family { names.insert(family.discriminator.caselessKey) }
      for slot in mapped.slots {
        switch slot {
        case .attribute(let column) where isIt: names.insert(column.name.caselessKey)
        case .toOne(let foreign) where isIt:
          names.formUnion(foreign.names.map { $0.caselessKey })
        case .toManyJoin(let join) where join.table.caselessKey == table.caselessKey:
          names.formUnion((join.ownColumns + join.otherColumns).map { $0.caselessKey })
        default: continue
        }
      }
    }
    return names
  }
}
