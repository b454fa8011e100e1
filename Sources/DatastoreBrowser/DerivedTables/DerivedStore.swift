import DatastoreCore
import Foundation
import Gates
import SwiftDatastore

/// The rows of a derived table as the only table of a temporary file, so that every command works on it.
final class DerivedStore: NestedStore {
  let table: DerivedTable
  /// The runner of the store below, which reads the rows again.
  let source: EffectRunner
  let datastore: SwiftDatastore
  private let columns: DerivedTableColumns
  /// The rest of the rows of an SQL answer; nil for computed rows.
  private let stream: DerivedTableStream?
  /// The computed rows, with their leads; nil for an SQL answer.
  private let computed: DerivedRows?
  private let directory: ProcessDirectory
  /// The number of rows that the file has from the start.
  private let firstRows: Int
  private let phase: DerivedTableState.Phase
  private let began = Date()

  /// Opens a file with the first rows of the answer to an SQL statement. Waits for them.
  ///
  /// - Parameter store: the store to query.
  /// - Throws: the errors of the query, `StoreError`, `DerivedTableFault`.
  convenience init(
    _ table: DerivedTable, answering sql: String, of source: EffectRunner,
    _ store: any StoreEngine, _ stream: DerivedTableStream
  ) throws {
    stream.read(sql, from: store)
    do {
      let answered = try stream.columns()
      guard !answered.isEmpty else {
        throw DerivedTableFault(description: "This statement has no rows that a table could show.")
      }
      let first = try stream.next()
      try self.init(
        table, DerivedTableColumns(answered, rows: first), first, of: source,
        phase: first == nil ? .whole : .reading, stream: stream)
    } catch {
      stream.close()
      throw error
    }
  }

  /// Opens a file with computed rows.
  ///
  /// - Parameter part: the number of rows below that they were computed from, if that is not all of them.
  /// - Throws: `StoreError`, `DerivedTableFault`.
  convenience init(
    _ table: DerivedTable, _ rows: DerivedRows, ofPart part: Int?, of source: EffectRunner,
    entity: String
  ) throws {
    let count = rows.columns.count
    var stream: DerivedTableStream?
    if let rest = rows.rest {
      stream = DerivedTableStream()
      stream?.read(rest, columns: count)
    }
    do {
      try self.init(
        table, DerivedTableColumns(rows.columns, in: entity),
        DerivedRows.page(rows.rows, columns: count), of: source,
        phase: stream != nil ? .reading : part.map { .partial(of: $0, percent: 0) } ?? .whole,
        stream: stream, computed: rows)
    } catch {
      stream?.close()
      throw error
    }
  }

  private init(
    _ table: DerivedTable, _ columns: DerivedTableColumns, _ rows: RowPage?,
    of source: EffectRunner, phase: DerivedTableState.Phase,
    stream: DerivedTableStream? = nil, computed: DerivedRows? = nil
  ) throws {
    self.table = table
    self.source = source
    self.columns = columns
    self.stream = stream
    self.computed = computed
    self.phase = phase
    firstRows = rows?.rowCount ?? 0
    do {
      directory = try ProcessDirectory(prefix: "datastore-derived-")
    } catch {
      throw DerivedTableFault(
        description:
          "The rows of \(table.subject) cannot be kept in \(FileManager.default.temporaryDirectory.path): "
          + error.localizedDescription)
    }
    do {
      let url = directory.url.appendingPathComponent("table.sqlite")
      try SwiftDatastore.makePlainTable(
        columns.table, columns: columns.names, rows: rows, at: url)
      var options = SwiftDatastore.Options(faultFailed: { _ in })
      options.annotations = columns.annotations
      datastore = try SwiftDatastore(opening: url, options: options)
    } catch {
      directory.remove()
      throw error
    }
  }

  /// Whether the table is computed from the first rows of a long list only.
  var isPartial: Bool {
    if case .partial = phase { true } else { false }
  }

  func close() {
    stream?.close()
    // Data that is still being written is no longer needed.
    try? datastore.close()
    directory.remove()
  }

  /// Stops reading rows; those already read are kept.
  func stopReading() { stream?.close() }

  /// Copies the rest of the rows into the file.
  ///
  /// Each transaction has half as many rows as there are before it, and at least 4096, since the list is read
  /// again after it.
  ///
  /// - Parameter report: called with the number of rows so far, on the thread that writes.
  /// - Throws: the errors of reading or writing; the rows before remain.
  func fill(_ report: @escaping @Sendable (Int) -> Void) async throws {
    guard let stream, phase == .reading,
      let entity = datastore.schema.entity(named: columns.table)
    else { return }
    let slots = try columns.names.map { name in
      guard let slot = entity.slot(named: name) else {
        throw StoreError.unknownProperty(entity: entity.name, property: name)
      }
      return slot
    }
    try await datastore.newContext().perform { [firstRows] context in
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

  // MARK: Showing

  var subject: String { table.subject }

  func prepare(_ state: inout BrowserState, above below: BrowserState) {
    let origin: DerivedTableState.Origin
    var tabs: DerivedTableState.Tabs?
    switch table.source {
    case .sql(let sql):
      origin = .sql(sql, time: began.timeOfDay, isOfAnswer: below.derivedTable != nil)
    case .rows(let request):
      origin = .rows(title: request.title)
      tabs = request.tabs
    }
    state.derivedTable = DerivedTableState.Shown(
      origin: origin, rows: firstRows, phase: phase, lead: computed?.lead,
      enter: computed?.enter ?? .showRows, removal: computed?.removal, columns: columns.names,
      tabs: tabs)
    state.editing.access = .derived(subject)
    // Shows the name of the store below; the temporary file's own name says nothing.
    state.storeName = below.storeName
    state.tableSettings.keepsIdentifiersInPlace = true
    if computed != nil {
      // Earlier settings of the same table stay, except that its bars have another scale.
      var settings = state.tableSettings.columns[columns.table] ?? columns.settings
      settings.pictures = columns.settings.pictures
      state.tableSettings.columns[columns.table] = settings
    }
  }

  func arrange(_ state: inout BrowserState) {
    if let place = table.place, columns.names.indices.contains(place.column) {
      let name = columns.names[place.column]
      state.changeTable { table, _ in
        if let column = table.columns.firstIndex(where: { $0.name == name }) {
          table.column = column
        }
        // Row numbers follow the order of the rows.
        table.want(RowKey(Int64(place.row + 1)))
      }
    }
    table.arrange(&state)
  }

  func work() -> [Effect] { [.fillDerivedTable(self)] }

  func askAgain(below: BrowserState) -> Effect {
    .askForDerivedTable(table.askedAgain(in: below), of: source)
  }
}

/// Why a derived table cannot be shown, as a sentence.
struct DerivedTableFault: Error, CustomStringConvertible {
  let description: String
}
