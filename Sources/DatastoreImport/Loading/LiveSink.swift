import Basics
import DatastoreCore
import SwiftDatastore

/// Writes each batch in a transaction of its own, so that other readers see it. Rows that the store refuses
/// are found by halving, so that all others are written.
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
        return try session.skipRow(reason.fault(of: row, requirements.entity))
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
    if keyPlace == nil, rows.allSatisfy({ $0.references.isEmpty }) {
      try RowSink.write(session, requirements) { try $0.write(rows) }
    } else {
      try ObjectSink(session, requirements, keyPlace: keyPlace).write(rows)
      try session.saveBatch()
    }
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

  /// Nil for errors that are not the fault of a row.
  init?(_ error: any Error) {
    switch error {
    case StoreError.notUnique(let entity, let properties, _):
      let names = properties.joined(separator: ", ")
      reason = "there is another \(entity) with the same \(names)"
      property = properties.first
    case StoreError.missingValue(_, let name, _):
      reason = RowRequirements.missing(name)
    case StoreError.checkFailed(_, let constraint, _):
      reason = "it breaks the rule “\(constraint)” of the table"
    case StoreError.brokenReference(_, let name, _, let detail):
      reason = "a relationship would lead to an object that does not exist: \(detail)"
      property = name
    case StoreError.refused(_, _, let detail): reason = detail
    case StoreError.keyChanged(_, let name, _):
      reason = "“\(name)” is part of the primary key and cannot become another"
      property = name
    case let error as ValidationError:
      guard let fault = error.faults.first else { return nil }
      let sentence = fault.description
      reason = sentence.ends(with: ".") ? String(sentence.dropLast()) : sentence
      property = fault.property
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
