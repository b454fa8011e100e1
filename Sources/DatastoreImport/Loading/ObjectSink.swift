import DatastoreCore
import SwiftDatastore

/// Creates or changes objects from rows, and links them: the destinations of the rows may come in another
/// file, or later in this one.
struct ObjectSink: LoadSink {
  private let session: LoadSession
  private let requirements: RowRequirements
  private let keyPlace: LoadKey?

  init(_ session: LoadSession, _ requirements: RowRequirements, keyPlace: LoadKey?) {
    self.session = session
    self.requirements = requirements
    self.keyPlace = keyPlace
  }

  func write(_ rows: [PreparedRow]) throws {
    var wanted: [LoadKey: [KeyValues]] = [:]
    for row in rows {
      if let keyPlace, let key = row.key { wanted[keyPlace, default: []].append(KeyValues(key)) }
      for reference in row.references where !session.waits(for: reference.target.place) {
        wanted[reference.target.place, default: []] += reference.keys
      }
    }
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
    session.remember(object, row)
    try session.setReferences(row, object)
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
