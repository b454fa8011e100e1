import DatastoreCore
import SwiftDatastore

/// Writes new rows without relationships into the store in one transaction, without creating objects. Memory
/// does not grow with the file.
struct RowSink: LoadSink {
  private let session: LoadSession
  private let requirements: RowRequirements
  let rows: any RowTransaction
  /// Sets the values of a new row that the record does not give.
  let complete: Completion

  typealias Completion = @Sendable (RowPage, Int, SlotSet) -> Void

  /// Runs `body` inside a transaction, with a sink that writes in it.
  ///
  /// - Throws: the errors of `body` and of the store; nothing is written then.
  static func write(
    _ session: LoadSession, _ requirements: RowRequirements,
    _ body: (inout RowSink) throws -> Void
  ) throws {
    let count = try session.context.core.writeRows(requirements.entity, key: nil) {
      rows, complete in
      var sink = RowSink(
        session: session, requirements: requirements, rows: rows, complete: complete)
      try body(&sink)
    }
    session.report.inserted += count
  }

  mutating func write(_ rows: [PreparedRow]) throws {
    var rest = rows.makeIterator()
    try self.rows.insertAll { page, place in
      while let row = rest.next() {
        if try fill(page, place, with: row) { return true }
      }
      return false
    }
  }

  /// Fills a new row; false if it has to be left out.
  private func fill(_ page: RowPage, _ place: Int, with row: PreparedRow) throws -> Bool {
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
}
