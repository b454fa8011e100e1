import DatastoreCore
import DatastoreSQLite
import SwiftDatastore

/// Records with a key on their way into a store that has rows already, in one transaction: read, looked
/// up and written batch by batch, so that memory does not grow with the file.
struct StreamedUpsert: UpsertSource {
  private let session: LoadSession
  private let source: LoadSource
  private let slot: Int
  private let filling: RowFilling
  private var binding: LoadBinding
  private var reader: any RecordReader
  /// Puts into a new row what nothing was said about.
  private var complete: (RowPage, Int, SlotSet) -> Void = { _, _, _ in }

  /// nil where objects have to be linked, or where nothing is to be written.
  init?(_ session: LoadSession, _ source: LoadSource, _ binding: LoadBinding) throws {
    guard StreamedInsertion.isPossible(session),
      case .attribute(let slot) = binding.keyPlace?.kind,
      try StreamedInsertion.fillsAttributesOnly(source, binding)
    else { return nil }
    self.session = session
    self.source = source
    self.slot = slot
    self.binding = binding
    filling = RowFilling(binding.entity)
    reader = try source.makeReader { session.tell(.waiting($0)) }
  }

  func run() throws {
    session.note(reader, of: source)
    let inserted = try session.context.core.upsertMany(binding.entity, key: slot) { complete in
      var rows = self
      rows.complete = complete
      return rows
    }
    session.report.inserted += inserted
  }

  mutating func next() throws -> [PreparedRow] {
    var rows: [PreparedRow] = []
    while rows.count < session.options.batchSize,
      let row = try StreamedInsertion.next(&reader, &binding, session)
    {
      rows.append(row)
    }
    if rows.isEmpty { session.noteEnd(of: source, binding.others) }
    return rows
  }

  func key(of row: PreparedRow) -> Value { row.key ?? .null }

  mutating func values(of row: PreparedRow) throws -> [(slot: Int, value: Value)]? {
    let entity = binding.entity
    for (slot, value) in row.values where value.isNull {
      guard let attribute = entity.properties[slot].attribute, !attribute.isOptional else {
        continue
      }
      try session.skipRow(
        LoadFault(
          row.position, "“\(attribute.name)” must have a value, but has none here",
          record: row.number))
      return nil
    }
    session.report.updated += 1
    return row.values
  }

  mutating func fill(_ page: RowPage, _ place: Int, with row: PreparedRow) throws -> Bool {
    do throws(LoadFault) {
      complete(page, place, try filling.fill(page, place, with: row))
      return true
    } catch {
      try session.skipRow(error)
      return false
    }
  }

  mutating func refuseRepeated(_ row: PreparedRow) throws {
    try session.skipRow(
      LoadFault(
        row.keyPosition ?? row.position,
        "a record before this one has the same key, \(key(of: row).shownInMessage)",
        record: row.number))
  }
}
