import DatastoreCore
import SwiftDatastore

/// New objects without relationships on their way into a store that has rows already: read, converted
/// and inserted one by one in one transaction, so that memory does not grow with the file.
struct StreamedInsertion {
  private let session: LoadSession
  private let source: LoadSource
  private let binding: LoadBinding
  private let reader: any RecordReader

  /// nil where objects have to be looked up or linked, or where nothing is to be written.
  init?(_ session: LoadSession, _ source: LoadSource, _ binding: LoadBinding) throws {
    guard session.options.saving == .once, !session.options.isTrial, !session.isNewStore,
      session.plan.sources.count == 1, binding.content.key == nil
    else { return nil }
    let entity = binding.entity
    if entity.links.contains(where: { $0 != nil }) {
      // Only a header row tells before reading that no relationship is filled. Standard input cannot
      // be looked at twice.
      guard case .file = source.input, let csv = try source.makeReader() as? CSVReader else {
        return nil
      }
      var binding = binding
      for column in csv.columns {
        guard let target = try? binding.target(of: column) else { return nil }
        if case .reference = target { return nil }
      }
    }
    self.session = session
    self.source = source
    self.binding = binding
    reader = try source.makeReader()
  }

  func run() throws {
    session.note(reader, of: source)
    var reader = reader
    var binding = binding
    let entity = binding.entity
    let required = entity.properties.indices.filter { slot in
      guard let attribute = entity.properties[slot].attribute else { return false }
      return !attribute.isOptional && !attribute.isReadOnly && attribute.defaultValue.isNull
    }
    let session = session
    let count = try session.context.core.insertMany(entity) { page, row in
      while let prepared = try Self.next(&reader, &binding, session) {
        var given = SlotSet()
        for (slot, value) in prepared.values {
          // A missing value leaves what a new object starts with, where it must have something.
          if value.isNull, entity.properties[slot].attribute?.isOptional == false { continue }
          page.setValue(value, row: row, slot: slot)
          given.insert(slot)
        }
        guard let missing = required.first(where: { !given.contains($0) }) else { return given }
        for slot in given { page.setValue(.null, row: row, slot: slot) }
        try session.skipRow(
          LoadFault(
            prepared.position,
            "“\(entity.properties[missing].name)” must have a value, but has none here"))
      }
      return nil
    }
    session.report.inserted += count
  }

  /// The next record that is not at fault; nil at the end of the file.
  private static func next(
    _ reader: inout any RecordReader, _ binding: inout LoadBinding, _ session: LoadSession
  ) throws -> PreparedRow? {
    while true {
      if session.report.rows.isMultiple(of: session.options.batchSize) {
        try session.checkCancellation()
        session.progress.rows = session.report.rows
        session.progress.bytesRead = reader.bytesRead
        session.progress.totalBytes = reader.totalBytes
        session.tell(.progress(session.progress))
      }
      do {
        guard let record = try reader.next() else { return nil }
        session.report.rows += 1
        return try session.prepare(record, &binding)
      } catch let fault as LoadFault {
        try session.skipRow(fault)
      } catch ImportError.malformed(let position, let reason) {
        session.report.rows += 1
        try session.skipRow(LoadFault(position, reason))
      }
    }
  }
}
