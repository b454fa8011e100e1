import DatastoreCore
import Foundation

// Properties of a store, and operations on all of it.

struct ExternalChangesCall: FarCall {
  func answer(in work: FarWork) throws -> [FarExternalChange] {
    try work.session.takeChanges().map(FarExternalChange.init)
  }
}

struct ListenCall: FarCall {
  func answer(in work: FarWork) throws -> FarNothing {
    work.session.watchOthers()
    return FarNothing()
  }
}

struct TablesChangedCall: FarCall {
  func answer(in work: FarWork) throws -> Bool { try work.session.store.haveTablesChanged() }
}

struct MarkSharedCall: FarCall {
  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.store.markShared()
    return FarNothing()
  }
}

/// Keeps a snapshot of the store under the number of this call; false if the store cannot keep one.
struct SnapshotCall: FarCall {
  let number: UInt32

  func answer(in work: FarWork) throws -> Bool {
    guard let snapshot = try work.session.store.snapshot() else { return false }
    work.session.keep(snapshot, as: number)
    return true
  }
}

struct MigrationHistoryCall: FarCall {
  func answer(in work: FarWork) throws -> [MigrationRecord] {
    try work.session.store.migrationHistory()
  }
}

struct IndexesCall: FarCall {
  let entity: EntityIndex

  func answer(in work: FarWork) throws -> [IndexInformation] {
    let store = try work.session.store
    return try store.indexes(of: store.schema.entity(at: entity))
  }
}

struct TableDetailsCall: FarCall {
  func answer(in work: FarWork) throws -> ByEntity<TableDetails?> {
    try work.session.store.tableDetails()
  }
}

struct CheckSlotsCall: FarCall {
  let constraint: String
  let entity: EntityIndex

  func answer(in work: FarWork) throws -> [Slot] {
    let store = try work.session.store
    return store.slots(ofCheck: constraint, in: try store.schema.entity(at: entity))
  }
}

struct ChangedPropertiesCall: FarCall {
  let bits: [UInt8]
  let entity: Int64

  func answer(in work: FarWork) throws -> [String] {
    try work.session.store.changedProperties(bits, ofEntity: entity)
  }
}

struct ReferenceValuesCall: FarCall {
  let entity: EntityIndex
  let slot: Slot
  let keys: FarKeys

  func answer(in work: FarWork) throws -> [RowKey: [Value]]? {
    let store = try work.session.store
    _ = try store.schema.link(at: slot, of: entity)
    return try store.referenceValues(
      of: slot, in: store.schema.entities[entity], keys: keys.keys)
  }
}

struct IntegrityCall: FarCall {
  func answer(in work: FarWork) throws -> [String] { try work.session.store.integrityFaults() }
}

struct CheckpointCall: FarCall {
  func answer(in work: FarWork) throws -> Bool { try work.session.store.checkpoint() }
}

struct AddEntitiesCall: FarCall {
  let entities: [EntityDescription]

  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.store.addEntities(entities)
    return FarNothing()
  }
}

struct RemoveEntitiesCall: FarCall {
  let names: [String]

  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.store.removeEmptyEntities(names)
    return FarNothing()
  }
}

struct IndexReferencesCall: FarCall {
  func answer(in work: FarWork) throws -> FarNothing {
    try work.session.store.indexReferencedColumns()
    return FarNothing()
  }
}
