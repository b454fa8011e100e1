import DatastoreCore
import SwiftDatastore

/// Creates or changes objects from rows, and links them: the destinations of the rows may come in another
/// file, or later in this one.
struct ObjectSink: LoadSink {
  private let session: LoadSession
  private let requirements: RowRequirements
  private let keyPlace: LoadKey?
  /// The attribute that is the key of a row.
  private let rowKeySlot: Slot?

  init(_ session: LoadSession, _ requirements: RowRequirements, keyPlace: LoadKey?) {
    self.session = session
    self.requirements = requirements
    self.keyPlace = keyPlace
    rowKeySlot = session.context.keySlot(of: requirements.entity)
  }

  func write(_ rows: [PreparedRow]) throws {
    var wanted: [LoadKey: [KeyValues]] = [:]
    for row in rows {
      if let keyPlace, let key = row.key { wanted[keyPlace, default: []].append(KeyValues(key)) }
      for reference in row.references where !session.waits(for: reference.target.place) {
        wanted[reference.target.place, default: []] += reference.keys
      }
    }
    // The objects of the batches before are saved.
    if session.options.saving == .eachBatch { session.origins = [:] }
    for (place, keys) in wanted { try session.lookUp(keys, at: place) }
    // Retained until the batch is done, so that rows read here together are not read again.
    let known = rows.compactMap { row in entry(of: row).map { object($0) } }
    try session.graph.fulfil(known)
    try withExtendedLifetime(known) {
      for row in rows {
        do {
          try write(row)
        } catch var fault as LoadFault {
          fault.record = fault.record ?? row.number
          try session.skipRow(fault)
        }
      }
    }
  }

  private func write(_ row: PreparedRow) throws {
    let object: ManagedObject
    if let existing = try existingObject(of: row) {
      try requirements.checkUpdate(row)
      for (slot, value) in row.values { existing.setValue(value, at: slot) }
      session.report.updated += 1
      object = existing
    } else {
      object = try makeObject(row)
      session.report.inserted += 1
    }
    if !session.isLive {
      session.origins[ObjectPlace(object.entity, savedKey(of: object))] =
        (row.position, row.number)
    }
    session.remember(object, row)
    try session.setReferences(row, object)
  }

  /// The key that the row of an object has once it is saved, which its record may give.
  private func savedKey(of object: ManagedObject) -> RowKey {
    guard let rowKeySlot, case .integer(let given) = object.value(at: rowKeySlot) else {
      return object.key
    }
    return RowKey(given)
  }

  private func makeObject(_ row: PreparedRow) throws -> ManagedObject {
    let object = try session.context.makeObject(of: requirements.entity)
    for (slot, value) in row.values where !requirements.isLeftOut(value, slot: slot) {
      object.setValue(value, at: slot)
    }
    // Its class may have given it values that no description contains.
    if let slot = requirements.required.first(where: { object.value(at: $0).isNull }) {
      session.graph.delete(object)
      throw requirements.missing(slot, row)
    }
    return object
  }

  private func entry(of row: PreparedRow) -> KeyIndex.Entry? {
    guard let keyPlace, let key = row.key else { return nil }
    return session.indexes[keyPlace]?[KeyValues(key)]
  }

  private func object(_ entry: KeyIndex.Entry) -> ManagedObject {
    session.graph.object(entity: requirements.entity.index, key: entry.key)
  }

  /// The object with the record's key. A live load has written the records before, so that the last of
  /// several with one key counts.
  ///
  /// - Throws: `LoadFault` if an earlier record in the same file had the same key, or several stored rows do.
  private func existingObject(of row: PreparedRow) throws -> ManagedObject? {
    guard let entry = entry(of: row) else { return nil }
    if entry.file == session.file, !session.isLive { throw RowRequirements.repeated(row) }
    if entry.storedCount > 1 { throw RowRequirements.ambiguous(row, entry.storedCount) }
    return object(entry)
  }
}

/// The place of an object's row in a store.
struct ObjectPlace: Hashable {
  private let root: EntityIndex
  private let key: RowKey

  init(_ entity: Entity, _ key: RowKey) {
    root = entity.root
    self.key = key
  }
}

extension LoadSession {
  /// The fault of the record whose object the store refuses; nil if it is not known.
  func fault(of refusal: RowRefusal) -> LoadFault? {
    guard let entity = refusal.entity.flatMap({ graph.schema.entity(named: $0) }),
      let key = refusal.key, let origin = origins[ObjectPlace(entity, key)]
    else { return nil }
    return LoadFault(origin.position, refusal.reason, record: origin.record)
  }
}
