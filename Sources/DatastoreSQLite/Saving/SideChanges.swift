import Basics
import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

/// Rows that triggers change during a save: SQLite reports every row that it writes.
///
/// Only for the duration of one transaction on a file whose written tables have triggers. It uses the
/// connection's update hook, which GRDB needs only for observers; this library adds none.
final class SideChanges {
  /// The last event of a row.
  private enum Event {
    case inserted, updated, deleted
  }

  private let database: Database
  private let mapping: SchemaMapping
  private let totalBefore: Int64
  private var eventCount: Int64 = 0
  /// By lower-cased name of the table.
  private var events: [String: [RowKey: Event]] = [:]

  init(_ database: Database, _ mapping: SchemaMapping) {
    self.database = database
    self.mapping = mapping
    totalBefore = sqlite3_total_changes64(database.sqliteConnection)
    sqlite3_update_hook(
      database.sqliteConnection,
      { context, operation, schema, table, rowid in
        guard let context, let schema, let table else { return }
        let changes = Unmanaged<SideChanges>.fromOpaque(context).takeUnretainedValue()
        changes.record(operation, String(cString: schema), String(cString: table), RowKey(rowid))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    sqlite3_update_hook(database.sqliteConnection, nil, nil)
  }

  private func record(_ operation: Int32, _ schema: String, _ table: String, _ rowid: RowKey) {
    eventCount += 1
    guard schema == "main" else { return }
    let event: Event =
      switch operation {
      case SQLITE_INSERT: .inserted
      case SQLITE_DELETE: .deleted
      default: .updated
      }
    let former = events[table.caselessKey]?[rowid]
    // A new row stays new when it is updated.
    events[table.caselessKey, default: [:]][rowid] =
      event == .updated && former == .inserted ? .inserted : event
  }

  /// Whether the row was already written in this transaction; false if SQLite does not report it.
  func hasWritten(_ key: RowKey, of entity: EntityMapping) -> Bool {
    guard case .rowid = entity.key else { return false }
    return events[entity.table.caselessKey]?[key] != nil
  }

  /// The changed rows besides those that the save itself has written; any row, if SQLite does not report
  /// which: for tables without rowids, and keys that are not the rowid.
  ///
  /// - Parameter own: the rows written by the save, with their present keys.
  func merged(own: OwnRows) -> MergedKeys {
    var merged = MergedKeys()
    let unseen = sqlite3_total_changes64(database.sqliteConnection) - totalBefore - eventCount
    if unseen > own.withoutRowid { return .everything }
    for (table, rows) in events {
      guard
        let entity = mapping.schema.entities.first(where: {
          mapping.entities[$0.index].table.caselessKey == table
        })
      else {
        // A join table has rows of relationships, not of objects.
        if isJoinTable(table), rows.count > own.linkCount { return .everything }
        continue
      }
      if entity.isInFamily {
        // SQLite does not report the entity of a row in a shared table.
        let own = own.keys(of: mapping.schema.entities[entity.root].members)
        if rows.keys.contains(where: { !own.contains($0) }) { return .everything }
        continue
      }
      guard case .rowid = mapping.entities[entity.index].key else {
        let written =
          (own.written[entity.index]?.count ?? 0) + (own.deleted[entity.index]?.count ?? 0)
        if rows.count > written { return .everything }
        continue
      }
      add(rows, of: entity, own, to: &merged)
    }
    return merged
  }

  private func isJoinTable(_ table: String) -> Bool {
    mapping.entities.contains { entity in
      entity.slots.contains { slot in
        if case .toManyJoin(let join) = slot { return join.table.caselessKey == table }
        return false
      }
    }
  }

  private func add(
    _ rows: [RowKey: Event], of entity: Entity, _ own: OwnRows, to merged: inout MergedKeys
  ) {
    let written = own.written[entity.index] ?? []
    let deleted = own.deleted[entity.index] ?? []
    let all = SlotSet(entity.slots)
    for (key, event) in rows {
      switch event {
      case .deleted:
        if !deleted.contains(key) { merged.deleted[entity.index, default: []].append(key) }
      case .inserted:
        if !written.contains(key) { merged.inserted[entity.index, default: []].append(key) }
      case .updated:
        // Rows written by the save are read again anyway.
        if !written.contains(key) { merged.updated[entity.index, default: [:]][key] = all }
      }
      // Relationships of other rows may have gained or lost members.
      if !written.contains(key), !deleted.contains(key), !entity.relationshipSlots.isEmpty {
        merged.isEverything = true
      }
    }
  }
}

/// The rows that a save or a batch operation has written itself.
struct OwnRows {
  /// Inserted and updated rows, by entity.
  var written: [EntityIndex: Set<RowKey>] = [:]
  var deleted: [EntityIndex: Set<RowKey>] = [:]
  /// Pairs of join tables that were added or removed.
  var linkCount = 0
  /// The number of rows that SQLite does not report, because their tables have no rowids.
  var withoutRowid: Int64 = 0

  init(_ changes: ChangeSet, rekeyed: [EntityIndex: [RowKey: RowKey]], _ mapping: SchemaMapping) {
    for entity in changes.entities {
      let new = rekeyed[mapping.schema.entities[entity.entity].root] ?? [:]
      var keys = Set(entity.updated.map { new[$0.key] ?? $0.key })
      for page in entity.inserted {
        for row in 0..<page.rowCount {
          let key = page.key(ofRow: row)
          keys.insert(new[key] ?? key)
        }
      }
      written[entity.entity] = keys
      deleted[entity.entity] = Set(entity.deleted.map { new[$0.key] ?? $0.key })
      if case .rowid = mapping.entities[entity.entity].key { continue }
      withoutRowid += Int64(keys.count + entity.deleted.count)
    }
    linkCount = changes.links.reduce(0) { $0 + $1.added.count + $1.removed.count }
    withoutRowid += Int64(linkCount)
  }

  /// All written or deleted rows of some entities.
  func keys(of entities: [EntityIndex]) -> Set<RowKey> {
    entities.reduce(into: []) { keys, entity in
      keys.formUnion(written[entity] ?? [])
      keys.formUnion(deleted[entity] ?? [])
    }
  }

  init(_ changed: MergedKeys) {
    written = changed.updated.mapValues { Set($0.keys) }
    for (entity, keys) in changed.inserted { written[entity, default: []].formUnion(keys) }
    deleted = changed.deleted.mapValues { Set($0) }
  }
}
