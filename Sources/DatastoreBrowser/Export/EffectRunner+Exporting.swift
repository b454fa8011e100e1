import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import SwiftDatastore

extension Lane {
  static let export = Lane("export", .latest)
}

extension Effect {
  /// Exports rows to a file; cancels an export that is still running.
  static func export(_ request: ExportRequest) -> Effect {
    .work { runner in
      runner.perform(in: .export) { runner in
        do {
          let reader = ExportReader(
            try await runner.readingList(of: request.rows), format: request.format,
            hasStoredDates: request.hasStoredDates, identifiesObjects: true, view: runner.view)
          let run = ExportRun(request: request, reader: reader)
          let report = try await run.write { rows in
            runner.send(ExportEvent.progress(request.number, rows: rows))
          }
          runner.send(ExportEvent.finished(request.number, report))
        } catch is CancellationError {
          runner.send(ExportEvent.stopped(request.number))
        } catch ExportError.exists {
          runner.send(ExportEvent.exists(request))
        } catch {
          runner.send(ExportEvent.failed(request.number, ExportRun.sentence(error, request.path)))
        }
      }
    }
  }

  static var stopExporting: Effect { .work { $0.cancel(.export) } }
}

/// The export of one file, off the main actor.
struct ExportRun: Sendable {
  let request: ExportRequest
  let reader: ExportReader

  /// The most rows that are read together.
  private static let mostRows = 512
  /// The most bytes that are read together, as estimated from the rows before.
  private static let mostBytes = 4 << 20
  /// The time between two reports of progress.
  private static let pace = Duration.milliseconds(100)

  /// Writes all rows, then moves the file to its path.
  ///
  /// - Throws: `ExportError`, `StoreError`, `CancellationError`; no file is left then.
  @concurrent
  func write(progress: @escaping @MainActor @Sendable (Int) -> Void) async throws -> ExportReport {
    let path = PathCompletion.expanded(request.path)
    if !request.isReplacing, ExportFile.isThere(path) { throw ExportError.exists(path: path) }
    let file = try ExportFile(path: path, isPipeAllowed: false)
    var options = ExportOptions()
    options.table = reader.table
    var writer = request.format.makeWriter(reader.columns, options: options, to: file.output)
    var texts =
      request.format.keepsTexts && !request.hasStoredDates
      ? try reader.texts(from: request.origins) : nil
    let keys = reader.rowKeys()
    var written = 0
    var done = 0
    var step = 16
    var told = ContinuousClock.now
    try writer.begin()
    while done < keys.count {
      try Task.checkCancellation()
      let chunk = keys[done..<min(keys.count, done + step)]
      let (page, bytes) = try await reader.page(chunk)
      for row in 0..<page.rowCount {
        try writer.write(
          page, row: row, texts?.texts(of: page.key(ofRow: row), page, row: row))
      }
      written += page.rowCount
      done += chunk.count
      step = max(1, min(Self.mostRows, Self.mostBytes / max(1, bytes / chunk.count)))
      if told.duration(to: .now) >= Self.pace {
        await progress(done)
        told = .now
      }
    }
    try writer.end()
    try Task.checkCancellation()
    try file.finish(isReplacing: request.isReplacing)
    return ExportReport(
      path: request.path, rows: written, bytes: file.output.writtenBytes,
      replacedTexts: file.output.replacedTexts)
  }

  /// Why nothing was written.
  static func sentence(_ error: any Error, _ path: String) -> String {
    switch error {
    case ExportError.cannotCreate(_, let reason): "\(path) could not be created: \(reason)."
    case ExportError.cannotWrite(_, let reason): "\(path) was not written: \(reason)."
    case ExportError.closedPipe: "\(path) was not written: the reader closed the pipe."
    default: "\(path) was not written. \(error)"
    }
  }
}
