import DatastoreCore
import Foundation
import Gates
import SwiftDatastore

/// A statement whose answer is to be opened as a table.
struct AnswerRequest: Sendable {
  let sql: String
  /// What of it has been read already, where that is all of it.
  var kept: (columns: [AnswerColumn], pages: [RowPage])?
  /// The cell that the cursor is to be on: a row, from 0, and the place of a column.
  var place: (row: Int, column: Int)?
  /// Sets what the table shows.
  var arrange: @Sendable (inout BrowserState) -> Void = { _ in }

  init(_ sql: String) {
    self.sql = sql
  }
}

/// The rows of an answer to SQL as the only table of a temporary file, on which every command works.
final class AnswerCopy: NestedStore {
  let request: AnswerRequest
  /// What was asked, and is asked again.
  let source: any StoreEngine
  let datastore: SwiftDatastore
  let subject = "an SQL answer"
  private let table: AnswerTable
  private let stream: AnswerStream
  private let directory: ProcessDirectory
  /// Rows that are there from the beginning.
  private let firstRows: Int
  private let isWhole: Bool
  private let began = Date()

  /// Opens a file with the first rows. Waits for them.
  ///
  /// - Throws: what asking throws, `StoreError`, `AnswerFault`.
  init(_ request: AnswerRequest, of source: any StoreEngine, _ stream: AnswerStream) throws {
    self.request = request
    self.source = source
    self.stream = stream
    if let kept = request.kept {
      stream.read(kept.columns, kept.pages)
    } else {
      stream.read(request.sql, from: source)
    }
    let columns = try stream.columns()
    guard !columns.isEmpty else {
      throw AnswerFault(description: "This statement has no rows that a table could show.")
    }
    let first = try stream.next()
    table = AnswerTable(columns, rows: first)
    firstRows = first?.rowCount ?? 0
    isWhole = first == nil
    do {
      directory = try ProcessDirectory(prefix: "datastore-answer-")
    } catch {
      stream.close()
      throw AnswerFault(
        description:
          "The rows of the answer cannot be kept in \(FileManager.default.temporaryDirectory.path): "
          + error.localizedDescription)
    }
    do {
      let url = directory.url.appendingPathComponent("answer.sqlite")
      try SwiftDatastore.makePlainTable(
        AnswerTable.name, columns: table.names, rows: first, at: url)
      var options = SwiftDatastore.Options(faultFailed: { _ in })
      options.annotations = table.annotations
      datastore = try SwiftDatastore(opening: url, options: options)
    } catch {
      stream.close()
      directory.remove()
      throw error
    }
  }

  func close() {
    stream.close()
    // What is being written is not wanted any more.
    try? datastore.close()
    directory.remove()
  }

  /// Asks for no more rows: those that have been read are kept.
  func stopReading() { stream.close() }

  /// Copies the rows that are still to come.
  ///
  /// Each transaction is larger than all before it together are by a half, since the list is read again behind it.
  ///
  /// - Parameter report: called with the number of rows that are there, on the thread that writes.
  /// - Throws: what reading or writing has thrown; the rows before are there.
  func fill(_ report: @escaping @Sendable (Int) -> Void) async throws {
    guard !isWhole, let entity = datastore.schema.entity(named: AnswerTable.name) else { return }
    let slots = try table.names.map { name in
      guard let slot = entity.slot(named: name) else {
        throw StoreError.unknownProperty(entity: entity.name, property: name)
      }
      return slot
    }
    try await datastore.newContext().perform { [stream, firstRows] context in
      var rows = firstRows
      var ending: Result<RowPage?, any Error>?
      while ending == nil {
        let most = max(4096, rows / 2)
        var count = 0
        _ = try context.core.writeRows(entity, key: nil) { target, _ in
          var source: (page: RowPage, row: Int)?
          try target.insertAll { page, place in
            if source.map({ $0.row == $0.page.rowCount }) ?? true {
              guard count < most else { return false }
              let next = Result { try stream.next() }
              guard case .success(let more?) = next else {
                ending = next
                return false
              }
              source = (more, 0)
              count += more.rowCount
              report(rows + count)
            }
            guard let (other, row) = source else { return false }
            for (column, slot) in slots.enumerated() {
              page.copyCell(
                from: other, row: row, to: place, column: slot.rawValue, source: column)
            }
            source?.row = row + 1
            return true
          }
        }
        rows += count
      }
      _ = try ending?.get()
    }
  }

  // MARK: What is shown

  func prepare(_ state: inout BrowserState, above below: BrowserState) {
    let clock = Calendar.current.dateComponents([.hour, .minute, .second], from: began)
    let time = [clock.hour, clock.minute, clock.second].map { part in
      let digits = String(part ?? 0)
      return digits.count < 2 ? "0" + digits : digits
    }
    state.answer = AnswerState.Shown(
      sql: request.sql, time: time.joined(separator: ":"), isOfAnswer: below.answer != nil,
      rows: firstRows, phase: isWhole ? .whole : .reading)
    state.editing.access = .answer(subject)
    // What it is an answer of; the copy's own name says nothing.
    state.storeName = below.storeName
  }

  func arrange(_ state: inout BrowserState) {
    if let place = request.place, table.names.indices.contains(place.column) {
      let name = table.names[place.column]
      state.changeTable { table, _ in
        if let column = table.columns.firstIndex(where: { $0.name == name }) {
          table.column = column
        }
        // Rows are numbered as they come.
        table.want(RowKey(Int64(place.row + 1)))
      }
    }
    request.arrange(&state)
  }

  func work() -> [Effect] { [.fillAnswer(self)] }
}

/// Why an answer cannot be opened as a table: a sentence.
struct AnswerFault: Error, CustomStringConvertible {
  let description: String
}
