import DatastoreCore
import DatastoreExport
import SwiftDatastore

extension Lane {
  static let schemaReview = Lane("schema review", .latest)
  static let schemaSaving = Lane("schema saving", .inOrder, atEnd: .cancelled)
}

extension Effect {
  /// Determines what edits of the schema would do to the file.
  static func reviewSchema(_ edits: [SchemaEdit]) -> Effect {
    .answer(in: .schemaReview) { runner in
      let datastore = runner.datastore
      return try await BlockingWork.run { () throws -> SchemaReview.Contents in
        SchemaReview.Contents(try datastore.preview(edits))
      }
    } then: { (state: inout BrowserState, contents: Result<SchemaReview.Contents, EffectFailure>) in
      state.changeOverlay(as: SchemaReview.self) { $0.apply(contents) }
    }
  }

  /// Performs the edits in the file, in one transaction.
  static func saveSchema(_ edits: [SchemaEdit], losing losses: [String]) -> Effect {
    .work { $0.saveSchema(edits, losses) }
  }

  static var cancelSchemaSave: Effect { .work { $0.cancel(.schemaSaving) } }
}

extension EffectRunner {
  fileprivate func saveSchema(_ edits: [SchemaEdit], _ losses: [String]) {
    let watch = service(TableChangeWatch.self)
    // The own change of the tables needs no message.
    watch.hasReportedTables = true
    perform(in: .schemaSaving) { runner in
      let datastore = runner.datastore
      let isCancelled = Lock(false)
      let send: @Sendable (MigrationProgress) -> Void = { progress in
        Task { @MainActor in
          runner.send(
            StateChange { state in
              // The last progress report may arrive after the end.
              guard state.schemaEditing.isSaving else { return }
              state.changeOverlay(as: SchemaReview.self) { $0.apply(progress) }
            })
        }
      }
      do {
        let backup = try await withTaskCancellationHandler {
          try await BlockingWork.run {
            Result {
              try datastore.perform(edits, losing: losses, progress: send) {
                isCancelled.withLock { $0 }
              }
            }
          }.get()
        } onCancel: {
          isCancelled.withLock { $0 = true }
        }
        runner.send(StateChange { $0.schemaIsSaved(backup: backup) })
      } catch {
        watch.hasReportedTables = false
        let reason =
          error is CancellationError
          ? "The saving of the schema was cancelled. Nothing was changed." : "\(error)"
        runner.send(StateChange { $0.schemaIsNotSaved(reason) })
      }
    }
  }
}

extension SchemaReview.Contents {
  fileprivate init(_ preview: SchemaEditPreview) {
    switch preview {
    case .statements(let statements):
      self.init(
        lines: ["These statements would be run, in one transaction:", ""]
          + statements.map { "\($0);".withoutTerminalControls })
    case .migration(let forecast):
      guard forecast.hasMigration else {
        self.init(lines: ["Nothing would change."])
        return
      }
      let text = ForecastText(forecast)
      var lines = text.lines
      if forecast.obstacles.isEmpty, !forecast.losses.isEmpty {
        lines += ["", "The old file is copied beside this one before that."]
      }
      self.init(
        lines: lines, warnings: text.warnings, losses: forecast.losses.map(\.name),
        isImpossible: !forecast.obstacles.isEmpty)
    }
  }
}

extension BrowserState {
  fileprivate mutating func schemaIsSaved(backup: String?) {
    let title = schemaEditing.title
    schemaEditing.saved()
    // These overlays show the former schema.
    overlays.removeAll { !$0.survivesNewTables }
    following = .awaited
    tell("Saved \(title)." + (backup.map { " The old file is kept as \($0)." } ?? ""), .success)
    request(.keepSchemaEdits([]))
  }

  fileprivate mutating func schemaIsNotSaved(_ reason: String) {
    schemaEditing.isSaving = false
    changeOverlay(as: SchemaReview.self) {
      $0.failed()
      $0.apply(.failure(EffectFailure(message: reason)))
    }
    tell(reason, .error)
  }
}
