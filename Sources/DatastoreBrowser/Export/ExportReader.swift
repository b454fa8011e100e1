import Basics
import DatastoreCore
import DatastoreExport
import DatastoreImport
import SwiftDatastore

/// Reads the rows of an export as pages with a slot for each column: a limited number of rows at a time, so
/// that memory does not grow with their total.
struct ExportReader: Sendable {
  /// The source of a column's cells.
  private enum Part: Sendable {
    case key
    case attribute(slot: Slot)
    /// One of the columns that store a to-one relationship.
    case reference(slot: Slot, place: Int)
    /// The number of members in a to-many relationship.
    case count(slot: Slot)
    /// The operand with this index.
    case computed(place: Int)
  }

  let columns: [ExportColumn]
  /// The table that `INSERT` statements fill.
  let table: String
  /// The names of the columns in the store's table; nil for columns that the table does not have.
  private let storedNames: [String?]
  private let rows: ObjectRows
  private let entity: Entity
  private let parts: [Part]
  private let view: SwiftDatastoreViewContext
  let store: any StoreEngine
  /// The computed columns.
  private let operands: [Predicate.Operand]
  private let staged: [RowKey: BySlot<Value>]
  private let deleted: Set<RowKey>

  /// Captures the staged changes.
  ///
  /// - Parameter identifiesObjects: whether related objects are identified for other stores, as
  ///   `StoreEngine.identifyingPath(of:in:)` says, except in `INSERT` statements.
  @MainActor
  init(
    _ rows: ObjectRows, format: ExportFormat, hasStoredDates: Bool = false,
    identifiesObjects: Bool = false, view: SwiftDatastoreViewContext
  ) {
    self.rows = rows
    self.view = view
    store = view.store
    entity = store.schema.entities[rows.entity]
    table = store.information(about: entity).table
    var columns: [ExportColumn] = []
    var parts: [Part] = []
    var storedNames: [String?] = []
    var names: Set<String> = []
    func add(_ column: AnswerColumn, _ part: Part) {
      let name = format == .sql ? column.storedName ?? column.name : column.name
      // A table cannot have two columns of one name, but several properties may share a column.
      if format == .sql, column.isGenerated || !names.insert(name.exactKey).inserted { return }
      columns.append(ExportColumn(name: name, type: column.type, dates: column.dates))
      parts.append(part)
      storedNames.append(column.name)
    }
    var operands: [Predicate.Operand] = []
    func addComputed(_ operand: Predicate.Operand, _ column: ExportColumn) {
      columns.append(column)
      parts.append(.computed(place: operands.count))
      storedNames.append(nil)
      operands.append(operand)
    }
    // Other rows refer to these rows by their keys.
    if format == .sql, let key = store.keyColumn(of: entity) { add(key, .key) }
    for column in rows.columns {
      guard let slot = column.slot else {
        // Computed columns cannot be inserted.
        guard format != .sql, let operand = column.operand else { continue }
        addComputed(
          operand,
          ExportColumn(
            name: column.name, type: column.format?.type ?? .integer64,
            dates: column.format?.dates))
        continue
      }
      if identifiesObjects, format != .sql,
        let path = store.identifyingPath(of: slot, in: entity)
      {
        let key = QueryColumn(.value(.keyPath(path)), from: entity, in: store.schema)
        addComputed(
          .keyPath(path),
          ExportColumn(name: path.joined(separator: "."), type: key.type, dates: key.dates))
        continue
      }
      let stored = store.storedColumns(of: slot, in: entity)
      if column.isToMany, format != .sql {
        columns.append(ExportColumn(name: column.name, type: .integer64))
        parts.append(.count(slot: slot))
        storedNames.append(nil)
      } else if column.destination != nil {
        for (place, part) in stored.enumerated() {
          add(part, .reference(slot: slot, place: place))
        }
      } else {
        for part in stored { add(part, .attribute(slot: slot)) }
      }
    }
    self.columns = hasStoredDates ? columns.map(\.withStoredDates) : columns
    self.parts = parts
    self.operands = operands
    self.storedNames = storedNames
    (staged, deleted) = view.stagedRows(entity: rows.entity)
  }

  /// The cells as the file spells them that the rows were read from; nil without such a file.
  ///
  /// - Throws: `ImportError`, `StoreError`.
  func texts(from origins: RowOrigins) throws -> SourceTexts? {
    try origins.texts(of: storedNames, in: table, of: store)
  }

  /// The keys of the rows in the order of the export. O(rows).
  func rowKeys() -> [RowKey] {
    deleted.isEmpty ? rows.keys : rows.keys.filter { !deleted.contains($0) }
  }

  /// A sealed page of the rows with these keys, in order, without rows that are gone, and the number of bytes
  /// in their texts and blobs.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  func page(_ keys: ArraySlice<RowKey>) async throws -> (page: RowPage, bytes: Int) {
    let page = RowPage(columnCount: parts.count, rowCapacity: max(1, keys.count))
    defer { page.seal() }
    let bytes = try await fill(page, with: keys)
    return (page, bytes)
  }

  /// The source of a row's values.
  private enum Place {
    case stored(RowPage, row: Int)
    case staged(BySlot<Value>)

    func value(_ slot: Slot) -> Value {
      switch self {
      case .stored(let page, let row): page.value(row: row, slot: slot)
      case .staged(let values): values[slot]
      }
    }
  }

  private func fill(
    _ page: RowPage, with keys: ArraySlice<RowKey>
  ) async throws -> Int {
    var places: [RowKey: Place] = [:]
    places.reserveCapacity(keys.count)
    let unchanged = keys.filter { staged[$0] == nil }
    for read in try store.rows(entity: entity.index, keys: unchanged) {
      for row in 0..<read.rowCount { places[read.key(ofRow: row)] = .stored(read, row: row) }
    }
    for key in keys { if let values = staged[key] { places[key] = .staged(values) } }
    let counts = try await memberCounts(keys)
    let references = try references(places.values)
    let computed = try await computedValues(keys)
    var bytes = 0
    for key in keys {
      guard let place = places[key] else { continue }
      let row = page.appendRow(key: key)
      for (column, part) in parts.enumerated() {
        switch part {
        case .key: page.setInteger(key.rawValue, row: row, column: column)
        case .attribute(let slot):
          if case .stored(let read, let index) = place {
            page.copyCell(from: read, row: index, to: row, column: column, source: slot.rawValue)
            switch read.tag(row: index, slot: slot) {
            case .text, .blob: bytes += read.bytes(row: index, slot: slot).count
            case .null, .integer, .real: break
            }
          } else {
            page.setValue(place.value(slot), row: row, column: column)
          }
        case .reference(let slot, let index):
          guard let key = place.value(slot).key else { continue }
          let value = references[slot].map { $0[key]?[index] ?? .null } ?? .key(key)
          page.setValue(value, row: row, column: column)
        case .count(let slot):
          page.setInteger(Int64(counts[slot]?[key] ?? 0), row: row, column: column)
        case .computed(let place):
          page.setValue(computed[key]?[place] ?? .null, row: row, column: column)
        }
      }
    }
    return bytes
  }

  private func computedValues(
    _ keys: ArraySlice<RowKey>
  ) async throws -> [RowKey: [Value]] {
    if operands.isEmpty { return [:] }
    return try await view.values(of: operands, keys: Array(keys), entity: entity.index)
  }

  private func memberCounts(
    _ keys: ArraySlice<RowKey>
  ) async throws -> [Slot: [RowKey: Int]] {
    var counts: [Slot: [RowKey: Int]] = [:]
    for case .count(let slot) in parts {
      counts[slot] = try await view.relatedCounts(
        entity: entity.index, slot: slot, keys: Array(keys))
    }
    return counts
  }

  /// The key values of related rows by slot, for relationships that do not store the key itself.
  private func references(
    _ places: some Collection<Place>
  ) throws -> [Slot: [RowKey: [Value]]] {
    var references: [Slot: [RowKey: [Value]]] = [:]
    for case .reference(let slot, 0) in parts {
      let keys = places.compactMap { place -> RowKey? in
        if let key = place.value(slot).key { key } else { nil }
      }
      references[slot] = try store.referenceValues(
        of: slot, in: entity, keys: Set(keys).sorted())
    }
    return references
  }
}
