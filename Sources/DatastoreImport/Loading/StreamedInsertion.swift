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
    let filling = RowFilling(binding.entity)
    let session = session
    let count = try session.context.core.insertMany(binding.entity) { page, place in
      while let row = try Self.next(&reader, &binding, session) {
        do throws(LoadFault) {
          return try filling.fill(page, place, with: row)
        } catch {
          try session.skipRow(error)
        }
      }
      return nil
    }
    session.report.inserted += count
    session.note(binding.others, of: source)
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
      } catch var fault as LoadFault {
        fault.record = fault.record ?? session.report.rows
        try session.skipRow(fault)
      } catch ImportError.malformed(let position, let reason) {
        session.report.rows += 1
        try session.skipRow(LoadFault(position, reason, record: session.report.rows))
      }
    }
  }
}
