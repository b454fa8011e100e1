import DatastoreCore

// Rows by their keys, and related rows.

struct RowsCall: FarCall {
  let entity: EntityIndex
  let keys: FarKeys

  func answer(in work: FarWork) throws -> [FarPage] {
    _ = try work.reader.schema.entity(at: entity)
    return try work.reader.rows(entity: entity, keys: keys.keys).map(FarPage.init)
  }
}

struct RelatedKeysCall: FarCall {
  let entity: EntityIndex
  let slot: Slot
  let key: RowKey

  func answer(in work: FarWork) throws -> FarKeys {
    _ = try work.reader.schema.link(at: slot, of: entity)
    return FarKeys(try work.reader.relatedKeys(entity: entity, slot: slot, key: key))
  }
}

struct RelatedRowsCall: FarCall {
  struct Rows: Codable, Sendable {
    let pages: [FarPage]
    let members: [RowKey: [RowKey]]
  }

  let entity: EntityIndex
  let slot: Slot
  let keys: FarKeys

  func answer(in work: FarWork) throws -> Rows {
    _ = try work.reader.schema.link(at: slot, of: entity)
    let rows = try work.reader.relatedRows(entity: entity, slot: slot, keys: keys.keys)
    return Rows(pages: rows.pages.map(FarPage.init), members: rows.members)
  }
}

/// Fetches the rows of a request, some pages at a time.
struct FetchCall: FarCall {
  let request: FetchRequest

  func answer(in work: FarWork) throws -> FarNothing {
    try work.reader.fetchInParts(request) { try work.send($0.map(FarPage.init)) }
    return FarNothing()
  }
}

extension ObjectStore {
  fileprivate func fetchInParts(
    _ request: FetchRequest, _ send: ([RowPage]) throws -> Void
  ) throws {
    var failure: (any Error)?
    try fetch(request) { pages in
      guard failure == nil else { return }
      do {
        try send(pages)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

struct FindRowsCall: FarCall {
  let entity: EntityIndex
  let rows: [FarRow]

  func answer(in work: FarWork) throws -> [Int: RowKey] {
    let entity = try work.reader.schema.entity(at: entity)
    return try work.reader.findRows(
      entity: entity.index, equalTo: rows.map { try $0.reference(of: entity) })
  }
}

struct SameRowCall: FarCall {
  let entity: EntityIndex
  let stored: FarRow
  let original: FarRow
  let edited: SlotSet

  func answer(in work: FarWork) throws -> Bool {
    let entity = try work.reader.schema.entity(at: entity)
    return try work.reader.isSameRow(
      entity: entity.index, stored.reference(of: entity),
      as: original.reference(of: entity), besides: edited)
  }
}
