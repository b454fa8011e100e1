import DatastoreCore
import SwiftDatastore

/// Loading a file whose records have a key and fill attributes only: existing objects get new values, all
/// others are inserted, without creating objects in memory.
extension LoadSession {
  /// - Parameter slot: the attribute that is the key.
  func upsert(_ source: LoadSource, _ binding: inout LoadBinding, key slot: Slot) throws {
    var bound = binding
    let reader = try source.makeReader { self.notify(.waiting($0)) }
    let records = RowSequence(self, reader, source) { try self.prepare($0, &bound) }
    try upsert(records, into: binding.entity, key: slot)
    binding = bound
  }

  /// Writes rows in one transaction.
  ///
  /// - Parameter records: the rows; an error among them ends the call, after the rows before it were written,
  ///   and nothing stays written.
  func upsert(
    _ records: some Sequence<Result<PreparedRow, any Error>>, into entity: Entity, key slot: Slot
  ) throws {
    let slots = entity.slots.filter { entity.properties[$0].attribute != nil }
    var places = BySlot(repeating: 0, count: entity.slotCount)
    for (place, slot) in slots.enumerated() { places[slot] = place }
    func values(of row: Result<PreparedRow, any Error>) throws -> [Value?] {
      var values = [Value?](repeating: nil, count: slots.count)
      for (slot, value) in try row.get().values { values[places[slot]] = value }
      return values
    }
    let result = try context.upsert(
      entityName: entity.name, key: entity.properties[slot].name,
      properties: slots.map { entity.properties[$0].name }, from: records,
      faults: { fault, row in try self.skip(fault, row.get(), of: entity) }, values)
    report.inserted += result.insertedCount
    report.updated += result.updatedCount
  }

  /// Leaves out a record that the store rejects.
  private func skip(_ fault: ImportFault, _ row: PreparedRow, of entity: Entity) throws {
    switch fault.reason {
    case .missingValue(let property):
      try skipRow(
        LoadFault(
          entity.slot(named: property).map(row.position(of:)) ?? row.position,
          RowRequirements.missing(property), record: row.number))
    case .repeatedKey: try skipRow(RowRequirements.repeated(row))
    case .ambiguousKey(_, let count): try skipRow(RowRequirements.ambiguous(row, count))
    case .thrown(let error): throw error
    // Rows without a key are left out when they are read, and there are no relationships.
    case .missingKey, .unknownObject: throw fault
    }
  }
}

/// The rows of a file, one after another, or finally the error that has ended reading it.
private struct RowSequence: Sequence, IteratorProtocol {
  private let session: LoadSession
  private var reader: any RecordReader
  private let prepare: (ImportRecord) throws -> PreparedRow
  private var count = 0
  private var isEnded = false

  init(
    _ session: LoadSession, _ reader: any RecordReader, _ source: LoadSource,
    prepare: @escaping (ImportRecord) throws -> PreparedRow
  ) {
    self.session = session
    self.reader = reader
    self.prepare = prepare
    session.record(reader, of: source)
  }

  mutating func next() -> Result<PreparedRow, any Error>? {
    if isEnded { return nil }
    do {
      guard let row = try session.nextRow(of: &reader, prepare: prepare) else {
        isEnded = true
        report()
        return nil
      }
      count += 1
      if count % session.options.batchSize == 0 { report() }
      return .success(row)
    } catch {
      isEnded = true
      return .failure(error)
    }
  }

  private func report() {
    session.progress.rows = session.report.rows
    session.progress.bytesRead = reader.bytesRead
    session.notify(.progress(session.progress))
  }
}
