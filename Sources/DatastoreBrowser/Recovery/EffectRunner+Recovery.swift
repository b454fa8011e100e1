import DatastoreCore
import Foundation
import SwiftDatastore

/// Keeping staged changes over a crash, and staging again what a crash has left.
extension EffectRunner {
  /// Has what is staged written to the recovery file, when the writing before has ended; of several
  /// states meanwhile only the last is written.
  func keepForRecovery(_ staged: [StagedObject]) {
    guard recovery != nil else { return }
    waitingForRecovery = staged
    guard !isWritingRecovery else { return }
    isWritingRecovery = true
    recoveryWork = perform { runner in
      while let next = runner.waitingForRecovery {
        runner.waitingForRecovery = nil
        await runner.writeRecovery(next)
      }
      runner.isWritingRecovery = false
    }
  }

  private func writeRecovery(_ staged: [StagedObject]) async {
    guard let recovery else { return }
    if staged.isEmpty {
      await recovery.remove()
      return
    }
    let document = RecoveryDocument(
      staged, schema: schema, store: datastore.url?.path ?? "", placement: view.stagedPlacement,
      keyValues: { [view] in view.keyValues(entity: $0, key: $1) })
    do {
      let data = try await Task.detached { try document.encoded() }.value
      try await recovery.write(data)
      hasRecoveryFailed = false
    } catch {
      // Told once, not with every key.
      if !hasRecoveryFailed { send(.readFailed(String(describing: error))) }
      hasRecoveryFailed = true
    }
  }

  /// Returns when the recovery file is what it has to be.
  func recoveryWritten() async {
    while isWritingRecovery, let number = recoveryWork, let task = task(number) {
      await task.value
    }
  }

  /// Looks for what a crash has left.
  func findRecovery() {
    guard let recovery, !datastore.isReadOnly else { return }
    perform { runner in
      for sentence in await recovery.strangers() { runner.send(.readFailed(sentence)) }
      for url in await recovery.leftovers() {
        do {
          let document = try await runner.readRecovery(url)
          let time = try? url.resourceValues(forKeys: [.contentModificationDateKey])
            .contentModificationDate
          let when = time.flatMap {
            DateText(secondsSince2001: $0.timeIntervalSinceReferenceDate.rounded())?.description
          }
          runner.send(
            .recoveryFound(
              FoundRecovery(path: url.path, when: when ?? "", what: document.description)))
          return
        } catch {
          runner.send(.readFailed(Self.sentence(error, url.path)))
        }
      }
    }
  }

  /// - Throws: `UnreadableRecovery` also for changes of another store, which a file that was unpacked or
  ///   copied to that place holds.
  private func readRecovery(_ url: URL) async throws -> RecoveryDocument {
    let store = datastore.url
    return try await Task.detached {
      let document = try RecoveryDocument(RecoveryFile.contents(of: url))
      let other = URL(fileURLWithPath: document.header.store).resolvingSymlinksInPath().path
      guard other == store?.resolvingSymlinksInPath().path else {
        throw UnreadableRecovery(
          reason:
            "they were made in another store, \(document.header.store); where that was moved, "
            + "move it back to restore them, else remove the file")
      }
      return document
    }.value
  }

  private static func sentence(_ error: any Error, _ path: String) -> String {
    if let stranger = error as? PrivateFile.Stranger { return stranger.description }
    let reason = (error as? UnreadableRecovery)?.reason ?? error.localizedDescription
    return "Unsaved changes of an earlier session in \(path) cannot be read: \(reason)."
  }

  func discardRecovery(_ path: String) {
    guard let recovery else { return }
    perform { runner in
      await recovery.discard(URL(fileURLWithPath: path))
      runner.findRecovery()
    }
  }

  func restoreRecovery(_ path: String) {
    guard let recovery else { return }
    performInOrder { runner in
      let url = URL(fileURLWithPath: path)
      var isTaken = false
      do {
        let document = try await runner.readRecovery(url)
        // Before anything is staged, so that what is staged replaces the file and stands in no other.
        isTaken = await recovery.takeOver(url)
        let report = try await RecoveryRestoring(runner).run(document)
        runner.view.processPendingChanges()
        runner.publishStaging()
        // Also when nothing new is staged: then the file has done its work.
        runner.keepForRecovery(runner.view.stagedObjects())
        await runner.recoveryWritten()
        if !isTaken, !runner.hasRecoveryFailed { await recovery.discard(url) }
        runner.send(.restored(report))
      } catch {
        if isTaken { await recovery.release() }
        runner.send(.readFailed(Self.sentence(error, path)))
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
  /// What could not be staged again, one sentence each.
  var losses: [String] = []
}
