import DatastoreCore

/// The keys of changed rows, in a message.
struct FarMergedKeys: Codable, Sendable {
  private struct Former: Codable, Sendable {
    let key: RowKey
    let row: FarRow
  }

  private let inserted: [EntityIndex: FarKeys]
  private let updated: [EntityIndex: [RowKey: SlotSet]]
  private let deleted: [EntityIndex: FarKeys]
  private let rekeyed: [EntityIndex: [RowKey: RowKey]]
  private let former: [EntityIndex: [Former]]
  private let isEverything: Bool

  init(_ keys: MergedKeys) {
    inserted = keys.inserted.mapValues(FarKeys.init)
    updated = keys.updated
    deleted = keys.deleted.mapValues(FarKeys.init)
    rekeyed = keys.rekeyed
    former = keys.former.mapValues { rows in
      rows.map { Former(key: $0.key, row: FarRow($0.value.reference)) }
    }
    isEverything = keys.isEverything
  }

  /// - Parameter schema: the schema that the keys must fit.
  /// - Throws: `FarLineFault` for anything that is not in the schema.
  func keys(of schema: Schema) throws -> MergedKeys {
    let entities = [Array(inserted.keys), Array(deleted.keys), Array(rekeyed.keys)].joined()
    for entity in entities { _ = try schema.entity(at: entity) }
    var keys = MergedKeys()
    keys.inserted = inserted.mapValues(\.keys)
    for (index, rows) in updated {
      let entity = try schema.entity(at: index)
      guard rows.values.allSatisfy({ $0.allSatisfy { entity.slots.contains($0) } }) else {
        throw FarLineFault("a message is about a column that is not there")
      }
      keys.updated[index] = rows
    }
    keys.deleted = deleted.mapValues(\.keys)
    keys.rekeyed = rekeyed
    for (index, rows) in former {
      let entity = try schema.entity(at: index)
      for former in rows {
        let row = try former.row.reference(of: entity)
        keys.former[index, default: [:]][former.key] = FormerRow(
          key: row.key, page: row.page, row: row.row)
      }
    }
    keys.isEverything = isEverything
    return keys
  }
}

/// The result of a save, in a message.
struct FarSaveResult: Codable, Sendable {
  private let rekeyed: [EntityIndex: [RowKey: RowKey]]
  private let taken: [EntityIndex: [RowKey]]
  private let stale: [EntityIndex: [RowKey]]
  private let moved: [EntityIndex: [RowKey: RowKey]]
  private let sideChanges: FarMergedKeys

  init(_ result: SaveResult) {
    rekeyed = result.rekeyed
    taken = result.taken
    stale = result.stale
    moved = result.moved
    sideChanges = FarMergedKeys(result.sideChanges)
  }

  /// - Throws: `FarLineFault` for anything that is not in the schema.
  func result(of schema: Schema) throws -> SaveResult {
    let entities = [Array(rekeyed.keys), Array(taken.keys), Array(stale.keys), Array(moved.keys)]
    for entity in entities.joined() { _ = try schema.entity(at: entity) }
    var result = SaveResult(rekeyed: rekeyed, stale: stale)
    result.taken = taken
    result.moved = moved
    result.sideChanges = try sideChanges.keys(of: schema)
    return result
  }
}

/// A change by others, in a message.
struct FarExternalChange: Codable, Sendable {
  private let keys: FarMergedKeys
  private let author: String?

  init(_ change: ExternalChange) {
    keys = FarMergedKeys(change.keys)
    author = change.author
  }

  /// - Throws: `FarLineFault` for anything that is not in the schema.
  func change(of schema: Schema) throws -> ExternalChange {
    ExternalChange(keys: try keys.keys(of: schema), author: author)
  }
}
