import DatastoreCore
import SwiftDatastore

/// One record, converted to the values that its entity stores.
struct PreparedRow {
  struct Reference {
    let target: ReferenceTarget
    /// The keys it leads to; empty for none.
    let keys: [KeyValues]
    let isList: Bool
    let line: Int
    let column: Int
    /// The object's position in the ordered inverse.
    var place: Double?
    /// The key of a reference to no row that stores the columns given, if not all of them are.
    var partial: RowKey?
  }

  let position: SourcePosition
  /// The number of the record in its file, from 1.
  let number: Int
  var key: Value?
  var keyPosition: SourcePosition?
  /// The number that it had in the store which the file was written from.
  var formerNumber: Value?
  var values: [(slot: Slot, value: Value)] = []
  /// The beginnings of the fields that fill attributes.
  var places: [(slot: Slot, line: Int, column: Int)] = []
  var references: [Reference] = []

  /// The place of the field that fills a slot; that of the record if there is none.
  func position(of slot: Slot) -> SourcePosition {
    guard let place = places.first(where: { $0.slot == slot }) else { return position }
    return SourcePosition(file: position.file, line: place.line, column: place.column)
  }
}

extension LoadSession {
  /// Loads a file whose records are objects.
  func load(_ source: LoadSource, _ binding: LoadBinding) throws {
    var binding = binding
    let requirements = RowRequirements(binding.entity)
    func read(
      into sink: inout some LoadSink, after count: Int = 0,
      checking check: (PreparedRow) throws -> Void = { _ in }
    )
      throws
    {
      try self.read(
        source, after: count,
        prepare: {
          let row = try prepare($0, &binding)
          try check(row)
          return row
        }, apply: { try sink.write($0) })
    }
    func recordColumns(_ streamed: StreamedColumns) {
      record(streamed.reader, of: source)
      for column in streamed.columns where column.target == nil {
        _ = try? binding.target(of: column.name)
      }
    }
    if isSearching {
      var sink = LiveSink(self, requirements, keyPlace: binding.keyPlace)
      try read(into: &sink)
    } else if let streamed = try streamedColumns(of: source, binding) {
      writesRowsOnly = !isLive
      if isLive {
        let before = report
        recordColumns(streamed)
        if let count = try streamBatches(streamed, requirements) {
          // From here on row by row, which finds the rows that the store refuses. The counts of the file
          // start again, those of its rows are kept.
          let (inserted, skipped) = (report.inserted, report.skippedRows)
          (report, report.inserted, report.skippedRows) = (before, inserted, skipped)
          var sink = LiveSink(self, requirements, keyPlace: nil)
          try read(into: &sink, after: count)
        }
      } else {
        try RowSink.write(self, requirements) { sink in
          guard let reserveKeys = sink.rows.reserveKeys else {
            return try read(into: &sink, checking: requirements.checkNew)
          }
          recordColumns(streamed)
          let rows = sink.rows
          try stream(
            streamed, requirements, reserveKeys: reserveKeys, complete: sink.complete
          ) { batch in
            for fault in batch.faults { try skipRow(fault) }
            try rows.insert(batch.pages)
          }
        }
      }
    } else if try canWriteRowsOnly(source, binding) {
      writesRowsOnly = true
      if let key = keySlot(of: binding) {
        try upsert(source, &binding, key: key)
      } else {
        // Faults of rows are reported in their order.
        try RowSink.write(self, requirements) { sink in
          try read(into: &sink, checking: requirements.checkNew)
        }
      }
    } else if isLive {
      var sink = LiveSink(self, requirements, keyPlace: binding.keyPlace)
      try read(into: &sink)
    } else {
      var sink = ObjectSink(self, requirements, keyPlace: binding.keyPlace)
      try read(into: &sink)
    }
    reportEnd(of: source, binding)
  }

  /// Whether the whole load is writing one file, whose columns fill attributes, in one transaction.
  private func canWriteRowsOnly(_ source: LoadSource, _ binding: LoadBinding) throws -> Bool {
    guard options.saving == .once, !options.isTrial, !isNewStore, plan.sources.count == 1,
      binding.content.key == nil || keySlot(of: binding) != nil
    else { return false }
    guard binding.entity.links.contains(where: { $0 != nil }) else { return true }
    // Before reading, only a header row tells the columns. A pipe cannot be read twice.
    guard !source.input.isReadOnce, let csv = try source.makeReader() as? CSVReader else {
      return false
    }
    var binding = binding
    for column in csv.columns {
      guard let target = try? binding.target(of: column) else { return false }
      switch target {
      case .reference, .part: return false
      // No reference leads to a row of the only file.
      case .attribute, .ignored, .number: continue
      }
    }
    return true
  }

  /// The attribute that identifies the object of a record.
  private func keySlot(of binding: LoadBinding) -> Slot? {
    if case .attribute(let slot) = binding.keyPlace?.kind { return slot }
    return nil
  }

  /// Records the marks that were read as missing values, the losses in values, and the columns that were left
  /// out.
  private func reportEnd(of source: LoadSource, _ binding: LoadBinding) {
    report.notes += source.notes(ofMarks: conversion?.seenMarks ?? [:])
    conversion?.seenMarks = [:]
    // A mere viewer of a file sees its texts.
    if !source.reading.csv.keepsText {
      for (column, count) in (conversion?.lostZones ?? [:]).sorted(by: { $0.key < $1.key }) {
        report.notes.append(
          "\(source.name): in “\(column.shownInMessage)” \(count == 1 ? "1 value loses its zone" : "\(count) values lose their zone"); "
            + "stored as UTC.")
      }
      for (column, count) in (conversion?.lostDigits ?? [:]).sorted(by: { $0.key < $1.key }) {
        report.notes.append(
          "\(source.name): in “\(column.shownInMessage)” \(count == 1 ? "1 value loses" : "\(count) values lose") "
            + "digits; the column keeps about 15.")
      }
    }
    conversion?.lostZones = [:]
    conversion?.lostDigits = [:]
    for (columns, reason) in [
      (binding.others, ""), (binding.computed, ", which the store computes"),
    ] where !columns.isEmpty {
      let names = columns.sorted().map { "“\($0.shownInMessage)”" }
      let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
      report.notes.append("\(source.name): left out \(shown)\(reason).")
    }
  }

  func prepare(_ record: ImportRecord, _ binding: inout LoadBinding) throws -> PreparedRow {
    var row = PreparedRow(position: record.position, number: report.rows)
    var parts: [ReferenceParts] = []
    for field in record.fields {
      let position = SourcePosition(
        file: record.position.file, line: field.line, column: field.column)
      let target: ColumnTarget
      do {
        target = try binding.target(of: field.name)
      } catch {
        let remark =
          "; the file is read without a header row (--header says that its first line is one)"
        throw LoadError.unfit(position, reason: error.reason + (hasNumberedColumns ? remark : ""))
      }
      do {
        switch target {
        case .ignored: break
        case .number: row.formerNumber = try field.value.key(of: .integer64, reading)
        case .attribute(let slot, let attribute):
          let value = try value(of: field, for: attribute)
          row.values.append((slot, value))
          row.places.append((slot, field.line, field.column))
          if let slot = binding.textSlot(of: field.name) {
            let text = LostTexts.text(of: field.value, storedAs: value, attribute)
            row.values.append((slot, text.map(Value.text) ?? .null))
          }
        case .reference(let target):
          row.references.append(try reference(target, field, record))
        case .part(let target, let index):
          let value = try field.value.key(of: target.keyTypes[index], reading)
          if let place = parts.firstIndex(where: { $0.target.slot == target.slot }) {
            parts[place].values[index] = value
          } else {
            parts.append(ReferenceParts(target, at: position, values: [index: value]))
          }
        }
        if field.name == binding.keyColumn, let place = binding.keyPlace {
          row.key = try field.value.key(of: keys.types(of: place)[0], reading)
          row.keyPosition = position
        }
      } catch let fault as ConversionFault {
        throw LoadFault(
          position, fault.reason, record: row.number, column: field.name, value: field.value.text)
      }
    }
    for reference in parts {
      let destination = graph.schema.entities[reference.target.link.destination]
      row.references.append(
        try reference.joined(number: row.number) { context.partialKey(of: $0, in: destination) })
    }
    if let column = binding.content.key, row.key?.isNull ?? true {
      let name = column.shownInMessage
      let fields = record.fields.prefix(10).map(\.name.shownInMessage).joined(separator: ", ")
      throw LoadFault(
        row.keyPosition ?? record.position,
        row.keyPosition == nil
          ? "the key “\(name)” is none of the columns (\(fields)\(record.fields.count > 10 ? ", …" : ""))"
          : "the key “\(name)” has no value",
        record: row.number)
    }
    for index in unique.indices { try unique[index].take(row, of: binding.entity) }
    if let fault = refused[row.number] { throw fault }
    return row
  }

  private func reference(
    _ target: ReferenceTarget, _ field: ImportField, _ record: ImportRecord
  ) throws -> PreparedRow.Reference {
    var values: [ImportValue] = field.value == .null ? [] : [field.value]
    let isList = target.link.kind.isToMany
    if case .list(let list) = field.value, isList { values = list.map(\.asField) }
    var place: Double?
    if let column = target.positionColumn, let value = record[column] {
      do {
        switch try value.converted(to: .double, reading) {
        case .real(let real): place = real
        case .integer(let integer): place = Double(integer)
        default: break
        }
      } catch {
        throw LoadFault(
          record.position(of: column), error.reason, column: column, value: value.text)
      }
    }
    return PreparedRow.Reference(
      target: target,
      keys: try values.map { (value) throws(ConversionFault) in
        KeyValues(try value.key(of: target.keyTypes[0], reading))
      }.filter { !$0.isNull },
      isList: isList, line: field.line, column: field.column, place: place)
  }
}
