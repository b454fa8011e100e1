import DatastoreCore
import Foundation
import SwiftDatastore

/// Staging again what a crash has left.
extension Effect {
  /// Looks for what a crash has left.
  static var findRecovery: Effect { .work { $0.findRecovery() } }

  static func restoreRecovery(_ path: String) -> Effect { .work { $0.restoreRecovery(path) } }

  static func discardRecovery(_ path: String) -> Effect {
    .work { runner in
      guard let file = runner.service(RecoveryKeeper.self).file else { return }
      runner.perform { runner in
        await file.discard(URL(fileURLWithPath: path))
        runner.findRecovery()
      }
    }
  }

  /// What is staged is given up: nothing is to be recovered.
  static var dropRecovery: Effect { .work { $0.service(RecoveryKeeper.self).keepNothing() } }

  /// Keeps what is staged of the schema.
  static func keepSchemaEdits(_ edits: [SchemaEdit]) -> Effect {
    .work { $0.service(RecoveryKeeper.self).keep(schemaEdits: edits) }
  }

  /// Leaves what is staged in the recovery file and ends the browser.
  static var keepAndLeave: Effect {
    .work { runner in
      let recovery = runner.service(RecoveryKeeper.self)
      runner.performStaging { runner in
        await recovery.written()
        if recovery.file == nil || recovery.hasFailed {
          runner.send(
            StagingEvent.refused(
              "The changes cannot be kept, for no file can be written for them."))
        } else {
          runner.send(RecoveryEvent.keptForNextTime)
        }
      }
    }
  }
}

/// What comes back of it.
enum RecoveryEvent: BrowserEvent {
  case found(FoundRecovery)
  case restored(RestoreReport)
  /// What is staged is on the disk, to be offered the next time.
  case keptForNextTime

  func apply(to state: inout BrowserState) {
    switch self {
    case .found(let found): state.offer(found)
    case .restored(let report): state.apply(report)
    case .keptForNextTime: state.finish()
    }
  }
}

extension EffectRunner {
  fileprivate func findRecovery() {
    guard let recovery = service(RecoveryKeeper.self).file, !datastore.isReadOnly else { return }
    perform { runner in
      for sentence in await recovery.notPrivateFiles() { runner.send(ErrorReport(sentence)) }
      for url in await recovery.leftovers() {
        do {
          let document = try await runner.readRecovery(url)
          let time = try? url.resourceValues(forKeys: [.contentModificationDateKey])
            .contentModificationDate
          let when = time.flatMap {
            Moment(seconds: Int64($0.timeIntervalSince1970.rounded())).description
          }
          runner.send(
            RecoveryEvent.found(
              FoundRecovery(path: url.path, when: when ?? "", what: document.description)))
          return
        } catch {
          runner.send(ErrorReport(Self.sentence(error, url.path)))
        }
      }
    }
  }

  /// - Throws: `UnreadableRecovery` also for changes of another store, which a file that was unpacked or
  ///   copied to that place holds.
  private func readRecovery(_ url: URL) async throws -> RecoveryDocument {
    let store = recoveredStore
    return try await Task.detached {
      let document = try RecoveryDocument(RecoveryFile.contents(of: url))
      let other = document.header.store
      guard other == store || Self.path(other) == store.map(Self.path) else {
        throw UnreadableRecovery(
          reason:
            "they were made in another store, \(document.header.store); where that was moved, "
            + "move it back to restore them, else remove the file")
      }
      return document
    }.value
  }

  private nonisolated static func path(_ store: String) -> String {
    URL(fileURLWithPath: store).resolvingSymlinksInPath().path
  }

  /// By which a recovery file says whose changes it has: a path, or what a server is known by.
  var recoveredStore: String? { datastore.url?.path ?? environment.server?.identity }

  private static func sentence(_ error: any Error, _ path: String) -> String {
    if let error = error as? PrivateFile.NotPrivateError { return error.description }
    let reason = (error as? UnreadableRecovery)?.reason ?? error.localizedDescription
    return "Unsaved changes from an earlier session in \(path) cannot be read: \(reason)."
  }

  fileprivate func restoreRecovery(_ path: String) {
    let keeper = service(RecoveryKeeper.self)
    guard let recovery = keeper.file else { return }
    performStaging { runner in
      let url = URL(fileURLWithPath: path)
      var isTaken = false
      do {
        let document = try await runner.readRecovery(url)
        // Before anything is staged, so that what is staged replaces the file and is in no other.
        isTaken = await recovery.takeOver(url)
        var report = try await RecoveryRestoring(runner).run(document)
        report.addSchemaEdits(of: document, to: runner.schema)
        runner.view.processPendingChanges()
        runner.publishStaging()
        // Also when nothing new is staged: then the file has done its work.
        keeper.keep(runner.view.stagedObjects())
        keeper.keep(schemaEdits: report.schemaEdits)
        await keeper.written()
        if !isTaken, !keeper.hasFailed { await recovery.discard(url) }
        runner.send(RecoveryEvent.restored(report))
      } catch {
        if isTaken { await recovery.release() }
        runner.send(ErrorReport(Self.sentence(error, path)))
      }
    }
  }
}

/// What a crash has left.
struct FoundRecovery: Hashable, Sendable {
  let path: String
  /// When it was written last.
  let when: String
  /// `3 changed, 1 new`.
  let what: String
}

/// How restoring went.
struct RestoreReport: Hashable, Sendable {
  var conflicts: [Conflict] = []
  /// What is staged of the schema again.
  var schemaEdits: [SchemaEdit] = []
  /// What could not be staged again, one sentence each.
  var losses: [String] = []

  /// All of them, or none where the tables are others by now.
  fileprivate mutating func addSchemaEdits(of document: RecoveryDocument, to schema: Schema) {
    guard let edits = document.header.schemaEdits, !edits.isEmpty else { return }
    do {
      _ = try SchemaEdit.applied(edits, to: schema.entities.map(\.description))
      schemaEdits = edits
    } catch {
      losses.append("\(SchemaEditing.title(edits.count)) no longer fit the tables: \(error)")
    }
  }
}
