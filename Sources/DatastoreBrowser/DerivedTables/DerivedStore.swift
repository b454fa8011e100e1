import DatastoreCore
import Foundation
import Gates
import SwiftDatastore

/// The rows of a derived table as the only table of a temporary file, on which every command works.
final class DerivedStore: NestedStore {
  let table: DerivedTable
  /// What it is derived from, and is asked again.
  let source: EffectRunner
  let datastore: SwiftDatastore
  private let columns: DerivedTableColumns
  /// The rows of an answer that are still to come; nil where they were computed.
  private let stream: DerivedTableStream?
  /// What rows that were computed lead to; nil of an answer.
  private let computed: DerivedRows?
  private let directory: ProcessDirectory
  /// Rows that are there from the beginning.
  private let firstRows: Int
  private let phase: DerivedTableState.Phase
  private let began = Date()

  /// Opens a file with the first rows of the answer to a statement. Waits for them.
  ///
  /// - Parameter store: what is asked.
  /// - Throws: what asking throws, `StoreError`, `DerivedTableFault`.
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

  /// Opens a file with rows that were computed.
  ///
  /// - Parameter part: of how many of the rows below, where that is not all of them.
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

  /// Whether it is of the first rows of a long list only.
  var isPartial: Bool {
    if case .partial = phase { true } else { false }
  }

  func close() {
    stream?.close()
    // What is being written is not wanted any more.
    try? datastore.close()
    directory.remove()
  }

  /// Asks for no more rows: those that have been read are kept.
  func stopReading() { stream?.close() }

  /// Copies the rows that are still to come.
  ///
  /// Each transaction is larger than all before it together are by a half, since the list is read again
  /// behind it.
  ///
  /// - Parameter report: called with the number of rows that are there, on the thread that writes.
  /// - Throws: what reading or writing has thrown; the rows before are there.
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

  // MARK: What is shown

  var subject: String { table.subject }

  func prepare(_ state: inout BrowserState, above below: BrowserState) {
    let origin: DerivedTableState.Origin
    switch table.source {
    case .sql(let sql):
      origin = .sql(sql, time: began.timeOfDay, isOfAnswer: below.derivedTable != nil)
    case .rows(let request): origin = .rows(title: request.title)
    }
    state.derivedTable = DerivedTableState.Shown(
      origin: origin, rows: firstRows, phase: phase, lead: computed?.lead,
      enter: computed?.enter ?? .showRows, removal: computed?.removal, columns: columns.names)
    state.editing.access = .derived(subject)
    // What it is an answer of; the copy's own name says nothing.
    state.storeName = below.storeName
    state.tableSettings.keepsIdentifiersInPlace = true
    if computed != nil {
      // What was set of the same table before stays; its bars have another scale.
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
        // Rows are numbered as they come.
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

/// Why a derived table cannot be shown: a sentence.
struct DerivedTableFault: Error, CustomStringConvertible {
  let description: String
}
