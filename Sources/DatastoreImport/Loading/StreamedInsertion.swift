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
    guard Self.isPossible(session), binding.content.key == nil,
      try Self.fillsAttributesOnly(source, binding)
    else { return nil }
    self.session = session
    self.source = source
    self.binding = binding
    reader = try source.makeReader { session.tell(.waiting($0)) }
  }

  /// Whether everything a load does is writing one file in one transaction.
  static func isPossible(_ session: LoadSession) -> Bool {
    session.options.saving == .once && !session.options.isTrial && !session.isNewStore
      && session.plan.sources.count == 1
  }

  /// Whether no column of a file fills a relationship.
  static func fillsAttributesOnly(_ source: LoadSource, _ binding: LoadBinding) throws -> Bool {
    guard binding.entity.links.contains(where: { $0 != nil }) else { return true }
    // Only a header row tells that before reading. A pipe cannot be looked at twice.
    guard case .file = source.input, let csv = try source.makeReader() as? CSVReader else {
      return false
    }
    var binding = binding
    for column in csv.columns {
      guard let target = try? binding.target(of: column) else { return false }
      if case .reference = target { return false }
    }
    return true
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
    session.noteEnd(of: source, binding.others)
  }

  /// The next record that is not at fault; nil at the end of the file.
  static func next(
    _ reader: inout any RecordReader, _ binding: inout LoadBinding, _ session: LoadSession
  ) throws -> PreparedRow? {
    while true {
      try session.checkCancellation()
      if session.report.rows > 0, session.report.rows.isMultiple(of: session.options.batchSize) {
        tellProgress(reader, session)
      }
      do {
        guard let record = try reader.next() else {
          tellProgress(reader, session)
          return nil
        }
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

  private static func tellProgress(_ reader: any RecordReader, _ session: LoadSession) {
    session.progress.rows = session.report.rows
    session.progress.bytesRead = reader.bytesRead
    session.progress.totalBytes = reader.totalBytes
    session.tell(.progress(session.progress))
  }
}
