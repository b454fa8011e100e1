import DatastoreCore
import DatastoreSQLite
import SwiftDatastore

/// Writing a file batch by batch into a store that people look at.
extension LoadSession {
  /// Whether each batch is written at once and other contexts see it.
  var isLive: Bool { options.saving == .eachBatch && !isNewStore }

  /// How many rows the next batch has. A live load begins with few, so that the first are soon seen,
  /// and takes more as it goes on, since whoever shows the table reads its list anew after each batch.
  var batchLimit: Int {
    guard isLive else { return options.batchSize }
    return max(1, options.batchSize / 4, min(report.rows / 8, options.batchSize * 5))
  }

  /// Writes rows in a transaction of their own. Those that the store refuses are found by halving, so
  /// that all others are written.
  ///
  /// - Throws: `LoadError.stopped` where faults stop the load, and what is no fault of a row.
  func write(
    _ rows: ArraySlice<PreparedRow>, _ binding: LoadBinding, _ filling: RowFilling
  ) throws {
    if rows.isEmpty { return }
    let before = (report, pending, ordered)
    heldFaults = []
    do {
      if binding.keyPlace == nil, rows.allSatisfy({ $0.references.isEmpty }) {
        try insert(rows, binding.entity, filling)
      } else {
        try apply(Array(rows), binding, required: filling.required)
        try saveBatch()
      }
    } catch {
      heldFaults = nil
      context.revertChanges()
      forgetKeys()
      guard let row = rows.first, let reason = RowRefusal(error) else { throw error }
      (report, pending, ordered) = before
      if rows.count == 1 {
        return try skipRow(reason.fault(of: row, binding.entity))
      }
      let middle = rows.startIndex + rows.count / 2
      try write(rows[..<middle], binding, filling)
      return try write(rows[middle...], binding, filling)
    }
    for fault in heldFaults ?? [] { tell(.fault(fault)) }
    heldFaults = nil
    forgetKeys()
    progress.written = report.inserted + report.updated
  }

  private func insert(
    _ rows: ArraySlice<PreparedRow>, _ entity: Entity, _ filling: RowFilling
  ) throws {
    var next = rows.startIndex
    let count = try context.core.insertMany(entity) { page, place in
      while next < rows.endIndex {
        let row = rows[next]
        next += 1
        do throws(LoadFault) {
          return try filling.fill(page, place, with: row)
        } catch {
          try skipRow(error)
        }
      }
      return nil
    }
    report.inserted += count
  }

  /// Forgets which objects have which keys, as far as the store knows it by now, so that memory does
  /// not grow with the file.
  private func forgetKeys() {
    indexes = indexes.filter { $0.key.kind == .column }
  }
}

/// Puts the values of a record into a new row that no object stands for.
struct RowFilling {
  let entity: Entity
  /// Slots that must have a value.
  let required: [Int]
  /// Those among them for which the model has no default.
  private let wanting: [Int]

  init(_ entity: Entity) {
    self.entity = entity
    required = entity.properties.indices.filter { slot in
      guard let attribute = entity.properties[slot].attribute else { return false }
      return !attribute.isOptional && !attribute.isReadOnly
    }
    wanting = required.filter { entity.properties[$0].attribute?.defaultValue.isNull ?? true }
  }

  /// - Returns: the slots that were given a value.
  /// - Throws: when a value that must be there is not; the row is as it was then.
  func fill(
    _ page: RowPage, _ place: Int, with row: PreparedRow
  ) throws(LoadFault) -> SlotSet {
    var given = SlotSet()
    for (slot, value) in row.values {
      // A missing value leaves what a new object starts with, where it must have something.
      if value.isNull, entity.properties[slot].attribute?.isOptional == false { continue }
      page.setValue(value, row: place, slot: slot)
      given.insert(slot)
    }
    guard let missing = wanting.first(where: { !given.contains($0) }) else { return given }
    for slot in given { page.setValue(.null, row: place, slot: slot) }
    throw LoadFault(
      row.position, "“\(entity.properties[missing].name)” must have a value, but has none here",
      record: row.number)
  }
}

/// What keeps the store from taking a row: a part of a sentence.
private struct RowRefusal {
  let reason: String
  var property: String?

  /// Nil for errors that are no fault of a row.
  init?(_ error: any Error) {
    switch error {
    case StoreError.notUnique(let entity, let properties, _):
      let names = properties.joined(separator: ", ")
      reason = "there is another \(entity) with the same \(names)"
      property = properties.first
    case StoreError.missingValue(_, let name, _):
      reason = "“\(name)” must have a value, but has none here"
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
      reason = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
      property = fault.property
    case let error as ConflictError:
      let names = error.conflicts.flatMap(\.properties).map(\.name).joined(separator: ", ")
      reason = "somebody else has changed \(names) at the same time"
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
