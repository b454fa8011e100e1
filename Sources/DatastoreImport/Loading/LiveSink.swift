import Basics
import DatastoreCore
import SwiftDatastore

/// Writes each batch in a transaction of its own, so that other readers see it. Rows that the store refuses
/// are found by halving, so that all others are written. If the session only searches for them, each batch is
/// rolled back.
struct LiveSink: LoadSink {
  private let session: LoadSession
  private let requirements: RowRequirements
  private let keyPlace: LoadKey?

  init(_ session: LoadSession, _ requirements: RowRequirements, keyPlace: LoadKey?) {
    self.session = session
    self.requirements = requirements
    self.keyPlace = keyPlace
  }

  /// - Throws: `LoadError.stopped` if faults stop the load, and errors that are not the fault of a row.
  func write(_ rows: [PreparedRow]) throws { try write(rows[...]) }

  private func write(_ rows: ArraySlice<PreparedRow>) throws {
    if rows.isEmpty { return }
    let before = (session.report, session.pending, session.ordered)
    session.heldFaults = []
    do {
      try writeTogether(Array(rows))
    } catch {
      session.heldFaults = nil
      session.context.revertChanges()
      forgetKeys()
      guard let row = rows.first, let reason = RowRefusal(error) else { throw error }
      (session.report, session.pending, session.ordered) = before
      if rows.count == 1 {
        let fault = reason.fault(of: row, requirements.entity)
        if session.isSearching { session.refused[row.number] = fault }
        return try session.skipRow(fault)
      }
      let middle = rows.startIndex + rows.count / 2
      try write(rows[..<middle])
      return try write(rows[middle...])
    }
    for fault in session.heldFaults ?? [] { session.notify(.fault(fault)) }
    session.heldFaults = nil
    forgetKeys()
    session.progress.written = session.report.inserted + session.report.updated
  }

  private func writeTogether(_ rows: [PreparedRow]) throws {
    if session.isSearching {
      try tryOut(rows)
    } else if keyPlace == nil, rows.allSatisfy({ $0.references.isEmpty }) {
      try RowSink.write(session, requirements) { try $0.write(rows) }
    } else {
      try ObjectSink(session, requirements, keyPlace: keyPlace).write(rows)
      try session.saveBatch()
    }
  }

  private struct TriedOut: Error {}

  /// Writes rows and takes them back.
  private func tryOut(_ rows: [PreparedRow]) throws {
    do {
      if case .attribute(let slot) = keyPlace?.kind {
        var records: [Result<PreparedRow, any Error>] = rows.map { .success($0) }
        records.append(.failure(TriedOut()))
        try session.upsert(records, into: requirements.entity, key: slot)
      } else {
        try RowSink.write(session, requirements) { sink in
          try sink.write(rows)
          try sink.rows.flush()
          throw TriedOut()
        }
      }
    } catch is TriedOut {}
  }

  /// Forgets the keys of objects that the store knows by now, so that memory does not grow with the file.
  private func forgetKeys() {
    session.indexes = session.indexes.filter { $0.key.kind == .column }
  }
}

/// The reason why the store refuses a row: a part of a sentence.
struct RowRefusal {
  let reason: String
  var property: String?
  /// The object that was refused, as far as the store says it.
  var entity: String?
  var key: RowKey?

  /// Nil for errors that are not the fault of a row.
  init?(_ error: any Error) {
    switch error {
    case StoreError.notUnique(let entity, let properties, let key):
      let names = properties.joined(separator: ", ")
      reason = "there is another \(entity) with the same \(names)"
      (property, self.entity, self.key) = (properties.first, entity, key)
    case StoreError.missingValue(let entity, let name, let key):
      reason = RowRequirements.missing(name)
      (self.entity, self.key) = (entity, key)
    case StoreError.checkFailed(let entity, let constraint, let key):
      reason = "it breaks the rule “\(constraint)” of the table"
      (self.entity, self.key) = (entity, key)
    case StoreError.brokenReference(let entity, let name, let key, let detail):
      reason = "a relationship would lead to an object that does not exist: \(detail)"
      (property, self.entity, self.key) = (name, entity, key)
    case StoreError.refused(let entity, let key, let detail):
      reason = detail
      (self.entity, self.key) = (entity, key)
    case StoreError.keyChanged(let entity, let name, let key):
      reason = "“\(name)” is part of the primary key and cannot become another"
      (property, self.entity, self.key) = (name, entity, key)
    case let error as ValidationError:
      guard let fault = error.faults.first else { return nil }
      let sentence = fault.description
      reason = sentence.ends(with: ".") ? String(sentence.dropLast()) : sentence
      (property, entity, key) = (fault.property, fault.entity, fault.key)
    case let error as ConflictError:
      let names = error.conflicts.flatMap(\.properties).map(\.name).joined(separator: ", ")
      reason = "someone else has changed \(names) at the same time"
    default: return nil
    }
  }

  func fault(of row: PreparedRow, _ entity: Entity) -> LoadFault {
    let slot = property.flatMap { entity.slot(named: $0) }
    let value = row.values.first { $0.slot == slot }?.value
    return LoadFault(
      row.position, reason, record: row.number, column: value == nil ? nil : property,
      value: value.flatMap { $0.isNull ? nil : $0.shownPlainly })
  }
}
