import DatastoreCore
import DatastoreExport
import DatastoreImport
import Foundation
import SwiftDatastore

extension Lane {
  static let export = Lane("export", .latest)
}

extension Effect {
  /// Writes rows to a file; one that is still being written is given up.
  static func export(_ request: ExportRequest) -> Effect {
    .work { runner in
      runner.perform(in: .export) { runner in
        do {
          let reader = ExportReader(
            try await runner.readingList(of: request.rows), format: request.format,
            hasStoredDates: request.hasStoredDates, view: runner.view)
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

/// One file that is being written, off the main actor.
struct ExportRun: Sendable {
  let request: ExportRequest
  let reader: ExportReader

  /// Rows that are read together, unless they are large.
  private static let mostRows = 512
  /// Bytes that are read together, as the rows before let expect.
  private static let mostBytes = 4 << 20
  /// Time between two messages about the progress.
  private static let pace = Duration.milliseconds(100)

  /// Writes all rows, then puts the file in its place.
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
