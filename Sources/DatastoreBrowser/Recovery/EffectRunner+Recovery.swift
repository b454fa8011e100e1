import DatastoreCore
import Foundation
import SwiftDatastore

/// Restoring the changes that a crash has left.
extension Effect {
  /// Looks for changes that a crash has left.
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

  /// Discards the recovery file, since the staged changes are given up.
  static var dropRecovery: Effect { .work { $0.service(RecoveryKeeper.self).keepNothing() } }

  /// Writes the staged schema edits to the recovery file.
  static func keepSchemaEdits(_ edits: [SchemaEdit]) -> Effect {
    .work { $0.service(RecoveryKeeper.self).keep(schemaEdits: edits) }
  }

  /// Leaves the staged changes in the recovery file and ends the browser.
  static var keepAndLeave: Effect {
    .work { runner in
      let recovery = runner.service(RecoveryKeeper.self)
      runner.performStaging { runner in
        await recovery.written()
        if recovery.lacksDirectWrites {
          runner.send(
            StagingEvent.refused(
              "The changes cannot be kept, for some are only in the copy that is shown; save them.")
          )
        } else if recovery.file == nil || recovery.hasFailed {
          runner.send(
            StagingEvent.refused(
              "The changes cannot be kept, for no file can be written for them."))
        } else {
          // The staged changes are on the disk, to be offered the next time.
          runner.send(StateChange { $0.finish() })
        }
      }
    }
  }
}

enum RecoveryEvent: BrowserEvent {
  case restored(RestagingReport, [SchemaEdit])

  func apply(to state: inout BrowserState) {
    switch self {
    case .restored(let report, let edits): state.apply(report, edits)
    }
  }
}

extension EffectRunner {
  fileprivate func findRecovery() {
    guard let recovery = service(RecoveryKeeper.self).file, !datastore.isReadOnly else { return }
    perform { runner in
      for sentence in await recovery.notPrivateFiles() { runner.report(sentence) }
      for url in await recovery.leftovers() {
        do {
          let document = try await runner.readRecovery(url)
          let time = try? url.resourceValues(forKeys: [.contentModificationDateKey])
            .contentModificationDate
          let when = time.flatMap {
            Moment(seconds: Int64($0.timeIntervalSince1970.rounded())).description
          }
          let found = FoundRecovery(
            path: url.path, when: when ?? "", what: document.description)
          runner.send(StateChange { $0.offer(found) })
          return
        } catch {
          runner.report(Self.sentence(error, url.path))
        }
      }
    }
  }

  /// - Throws: `UnreadableRecovery` for an invalid file, and for changes of another store, as in a file that
  ///   was unpacked or copied to that place.
  private func readRecovery(_ url: URL) async throws -> RecoveryDocument {
    let store = recoveredStore
    return try await Task.detached {
      let document = try RecoveryDocument(RecoveryFile.contents(of: url))
      let other = document.header.store
      guard other == store || Self.path(other) == store.map(Self.path) else {
        throw UnreadableRecovery(
          reason:
            "they were made in another store, \(document.header.store); where that was moved, "
            + "move it back to restore them, else remove the file. Changes of several files are restored where "
            + "the same files are opened together")
      }
      return document
    }.value
  }

  private nonisolated static func path(_ store: String) -> String {
    URL(fileURLWithPath: store).resolvingSymlinksInPath().path
  }

  /// The identity of the store in a recovery file: the path of a file, the paths of the files that are shown
  /// from a copy, or the identity of a server's database.
  var recoveredStore: String? {
    let files = environment.sourceFiles
    if !files.isEmpty { return files.joined(separator: ", ") }
    return datastore.url?.path ?? environment.server?.identity
  }

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
        // Done before anything is staged, so that the staged changes replace the file and are in no other
        // one.
        isTaken = await recovery.takeOver(url)
        let restaging = Restaging(runner, mayBeSaved: true)
        restaging.recordsMayHaveMoved =
          (document.header.files ?? []) != runner.environment.sourceStates
        var report = try await restaging.run(document.objects)
        let schemaEdits = document.schemaEdits(runner.schema, &report)
        runner.view.processPendingChanges()
        runner.publishStaging()
        // Also when nothing new is staged: then the file has done its work.
        keeper.keep(runner.view.stagedObjects())
        keeper.keep(schemaEdits: schemaEdits)
        await keeper.written()
        if !isTaken, !keeper.hasFailed { await recovery.discard(url) }
        runner.send(RecoveryEvent.restored(report, schemaEdits))
      } catch {
        if isTaken { await recovery.release() }
        runner.report(Self.sentence(error, path))
      }
    }
  }
}

/// Changes that a crash has left.
struct FoundRecovery: Hashable, Sendable {
  let path: String
  /// The time of the last write.
  let when: String
  /// The changes in words: `3 changed, 1 new`.
  let what: String
}

extension RecoveryDocument {
  /// All schema edits of the document, or none and a sentence if they no longer fit the tables.
  fileprivate func schemaEdits(_ schema: Schema, _ report: inout RestagingReport) -> [SchemaEdit] {
    guard let edits = header.schemaEdits, !edits.isEmpty else { return [] }
    do {
      _ = try SchemaEdit.applied(edits, to: schema.entities.map(\.description))
      return edits
    } catch {
      report.losses.append("\(SchemaEditing.title(edits.count)) no longer fit the tables: \(error)")
      return []
    }
  }
}
