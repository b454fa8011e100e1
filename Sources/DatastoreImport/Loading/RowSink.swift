import DatastoreCore
import SwiftDatastore

/// Writes rows without relationships into the store in one transaction, with no objects for them: those with
/// a key give rows that are there new values, all others are inserted. Memory does not grow with the file.
struct RowSink: LoadSink {
  private let session: LoadSession
  private let requirements: RowRequirements
  private let hasKey: Bool
  let rows: any RowTransaction
  /// Puts into a new row what nothing was said about.
  let complete: @Sendable (RowPage, Int, SlotSet) -> Void

  /// Runs `body` inside a transaction, with a sink that writes in it.
  ///
  /// - Parameter slot: the attribute that is the key of the rows; nil where each is new.
  /// - Throws: what `body` or the store throws; nothing is written then.
  static func write(
    _ session: LoadSession, _ requirements: RowRequirements, key slot: Slot?,
    _ body: (inout RowSink) throws -> Void
  ) throws {
    let count = try session.context.core.writeRows(requirements.entity, key: slot) {
      rows, complete in
      var sink = RowSink(
        session: session, requirements: requirements, hasKey: slot != nil, rows: rows,
        complete: complete)
      try body(&sink)
    }
    session.report.inserted += count
  }

  mutating func write(_ rows: [PreparedRow]) throws {
    let transaction = self.rows
    if hasKey { return try transaction.write(rows, by: &self) }
    var rest = rows.makeIterator()
    try transaction.insertAll { page, place in
      while let row = rest.next() {
        if try fill(page, place, with: row) { return true }
      }
      return false
    }
  }
}

extension RowSink: RowRules {
  func key(of row: PreparedRow) -> Value { row.key ?? .null }

  func values(of row: PreparedRow) throws -> [(slot: Slot, value: Value)]? {
    do throws(LoadFault) {
      try requirements.checkUpdate(row)
    } catch {
      try session.skipRow(error)
      return nil
    }
    session.report.updated += 1
    return row.values
  }

  func fill(_ page: RowPage, _ place: Int, with row: PreparedRow) throws -> Bool {
    do throws(LoadFault) {
      try requirements.checkNew(row)
    } catch {
      try session.skipRow(error)
      return false
    }
    var given = SlotSet()
    for (slot, value) in row.values where !requirements.isLeftOut(value, slot: slot) {
      page.setValue(value, row: place, slot: slot)
      given.insert(slot)
    }
    complete(page, place, given)
    return true
  }

  func refuseRepeated(_ row: PreparedRow) throws {
    try session.skipRow(RowRequirements.repeated(row))
  }
}
