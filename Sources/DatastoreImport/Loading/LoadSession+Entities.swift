import DatastoreCore
import SwiftDatastore

/// One record, converted to what its entity stores.
struct PreparedRow {
  struct Reference {
    let target: ReferenceTarget
    /// The keys it leads to; empty for none.
    let keys: [Value]
    let isList: Bool
    let line: Int
    let column: Int
    /// The object's place in the ordered inverse.
    var place: Double?
  }

  let position: SourcePosition
  /// The number of the record in its file, from 1.
  let number: Int
  var key: Value?
  var keyPosition: SourcePosition?
  var values: [(slot: Int, value: Value)] = []
  var references: [Reference] = []
}

extension LoadSession {
  /// Loads a file whose records are objects.
  func load(_ source: LoadSource, _ binding: LoadBinding) throws {
    if let inserting = try StreamedInsertion(self, source, binding) {
      return try inserting.run()
    }
    if let upserting = try StreamedUpsert(self, source, binding) {
      return try upserting.run()
    }
    var binding = binding
    let filling = RowFilling(binding.entity)
    try read(
      source, prepare: { try prepare($0, &binding) },
      apply: { rows in
        if isLive {
          try write(rows[...], binding, filling)
        } else {
          try apply(rows, binding, required: filling.required)
        }
      })
    noteEnd(of: source, binding.others)
  }

  /// Tells of marks that were taken for no value, and of columns that nobody has said anything about.
  func noteEnd(of source: LoadSource, _ others: Set<String>) {
    for (column, texts) in seenMarks.sorted(by: { $0.key < $1.key }) {
      let marks = texts.sorted { $0.key < $1.key }.map { "\($0.shownInMessage) (\($1))" }
      report.notes.append(
        "\(source.name): in “\(column.shownInMessage)” \(marks.joined(separator: ", ")) means no "
          + "value.")
    }
    seenMarks = [:]
    guard !others.isEmpty else { return }
    let names = others.sorted().map { "“\($0.shownInMessage)”" }
    let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    report.notes.append("\(source.name): it has \(shown), too, which was left out.")
  }

  func prepare(_ record: ImportRecord, _ binding: inout LoadBinding) throws -> PreparedRow {
    var row = PreparedRow(position: record.position, number: report.rows)
    for field in record.fields {
      let position = SourcePosition(
        file: record.position.file, line: field.line, column: field.column)
      let target: ColumnTarget
      do {
        target = try binding.target(of: field.name)
      } catch {
        throw LoadError.unfit(position, reason: error.reason)
      }
      do {
        switch target {
        case .ignored: break
        case .attribute(let slot, let attribute):
          row.values.append((slot, try value(of: field, for: attribute)))
        case .reference(let target):
          row.references.append(try reference(target, field, record))
        }
        if field.name == binding.content.key, let place = binding.keyPlace {
          row.key = try field.value.key(of: keys.type(of: place), reading)
          row.keyPosition = position
        }
      } catch let fault as ConversionFault {
        throw LoadFault(
          position, fault.reason, record: row.number, column: field.name, value: field.value.text)
      }
    }
    if let column = binding.content.key, row.key?.isNull ?? true {
      throw LoadFault(
        row.keyPosition ?? record.position, "the key “\(column.shownInMessage)” has no value",
        record: row.number)
    }
    return row
  }

  private func reference(
    _ target: ReferenceTarget, _ field: ImportField, _ record: ImportRecord
  ) throws -> PreparedRow.Reference {
    var values: [ImportValue] = field.value == .null ? [] : [field.value]
    let isList = target.link.kind.isToMany
    if case .list(let list) = field.value, isList { values = list }
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
        try value.key(of: target.keyType, reading)
      }.filter { !$0.isNull },
      isList: isList, line: field.line, column: field.column, place: place)
  }

  func apply(_ rows: [PreparedRow], _ binding: LoadBinding, required: [Int]) throws {
    var wanted: [KeyPlace: [Value]] = [:]
    for row in rows {
      if let place = binding.keyPlace, let key = row.key { wanted[place, default: []].append(key) }
      for reference in row.references {
        wanted[reference.target.place, default: []] += reference.keys
      }
    }
    for (place, values) in wanted { try lookUp(values, at: place) }
    // Held until the batch is done, so that what is read here at once is not read again.
    let known = rows.compactMap { row -> ManagedObject? in
      guard let place = binding.keyPlace, let key = row.key, let entry = indexes[place]?[key] else {
        return nil
      }
      return graph.object(entity: binding.entity.index, key: entry.key)
    }
    try graph.fulfil(known)
    try withExtendedLifetime(known) {
      for row in rows {
        do {
          try apply(row, binding, required: required)
        } catch var fault as LoadFault {
          fault.record = fault.record ?? row.number
          try skipRow(fault)
        }
      }
    }
  }

  private func apply(_ row: PreparedRow, _ binding: LoadBinding, required: [Int]) throws {
    let existing = try existingObject(of: row, binding)
    if let existing {
      for (slot, value) in row.values where value.isNull {
        try requireNullable(slot, row, binding.entity)
      }
      for (slot, value) in row.values { existing.setValue(value, at: slot) }
      report.updated += 1
      remember(existing, memoryKey: row.key)
      try setReferences(row, existing)
      return
    }
    let object = try context.makeObject(of: binding.entity)
    for (slot, value) in row.values {
      // A missing value leaves what a new object starts with, where it must have something.
      if value.isNull, required.contains(slot) { continue }
      object.setValue(value, at: slot)
    }
    if let slot = required.first(where: { object.value(at: $0).isNull }) {
      graph.delete(object)
      try requireNullable(slot, row, binding.entity)
    }
    report.inserted += 1
    remember(object, memoryKey: row.key)
    try setReferences(row, object)
  }

  /// The object with the record's key. A live load has written the records before, so that the last of
  /// several with one key counts.
  ///
  /// - Throws: `LoadFault` when a record before it in the same file had the same key.
  private func existingObject(of row: PreparedRow, _ binding: LoadBinding) throws -> ManagedObject?
  {
    guard let place = binding.keyPlace, let key = row.key, let entry = indexes[place]?[key] else {
      return nil
    }
    if entry.file == file, !isLive {
      throw LoadFault(
        row.keyPosition ?? row.position,
        "a record before this one has the same key, \(key.shownInMessage)")
    }
    return graph.object(entity: binding.entity.index, key: entry.key)
  }

  private func requireNullable(_ slot: Int, _ row: PreparedRow, _ entity: Entity) throws {
    guard let attribute = entity.properties[slot].attribute, !attribute.isOptional else { return }
    throw LoadFault(row.position, "“\(attribute.name)” must have a value, but has none here")
  }
}
