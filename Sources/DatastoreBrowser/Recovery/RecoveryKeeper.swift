import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// Writes of the recovery file.
  static let recovery = Lane("recovery", .inOrder, atEnd: .completed)
}

/// Keeps what is staged in the recovery file, so that a crash loses none of it.
@MainActor
final class RecoveryKeeper: EffectService {
  private unowned let runner: EffectRunner
  /// Nil for stores that are neither in a file nor in a server.
  let file: RecoveryFile?
  private var isWriting = false
  /// What is staged of rows, and of the schema.
  private var staged: [StagedObject] = []
  private var schemaEdits: [SchemaEdit] = []
  /// Whether that is to be written; of several states meanwhile only the last one is.
  private var isOutdated = false
  /// Whether the last writing failed, which was reported.
  private(set) var hasFailed = false

  init(_ runner: EffectRunner) {
    self.runner = runner
    let environment = runner.environment
    if let url = runner.datastore.url {
      file = RecoveryFile(store: url, stateDirectory: environment.stateDirectory)
    } else {
      file = environment.stateDirectory.flatMap { directory in
        environment.server.map { RecoveryFile(server: $0, in: directory) }
      }
    }
  }

  /// Begins to keep whatever is staged.
  func begin() {
    runner.service(StagingFeed.self).stagedHasChanged = { [weak self] in self?.keep($0) }
  }

  /// Writes what is staged to the recovery file, when the writing before has ended.
  func keep(_ staged: [StagedObject]) {
    self.staged = staged
    write()
  }

  /// The same of what is staged of the schema.
  func keep(schemaEdits: [SchemaEdit]) {
    self.schemaEdits = schemaEdits
    write()
  }

  /// Removes the file.
  func keepNothing() {
    (staged, schemaEdits) = ([], [])
    write()
  }

  private func write() {
    guard file != nil else { return }
    isOutdated = true
    guard !isWriting else { return }
    isWriting = true
    runner.perform(in: .recovery) { [self] runner in
      while isOutdated {
        isOutdated = false
        await write(staged, schemaEdits, runner)
      }
      isWriting = false
    }
  }

  private func write(
    _ staged: [StagedObject], _ schemaEdits: [SchemaEdit], _ runner: EffectRunner
  ) async {
    guard let file else { return }
    if staged.isEmpty, schemaEdits.isEmpty {
      await file.remove()
      return
    }
    let view = runner.view
    let document = RecoveryDocument(
      staged, schemaEdits, schema: runner.schema, store: runner.recoveredStore ?? "",
      keyValues: { view.keyValues(entity: $0, key: $1) })
    do {
      let data = try await Task.detached { try document.encoded() }.value
      try await file.write(data)
      hasFailed = false
    } catch {
      // Told once, not with every key.
      if !hasFailed { runner.send(ErrorReport(String(describing: error))) }
      hasFailed = true
    }
  }

  /// Returns when the recovery file is what it has to be.
  func written() async {
    while isWriting { await runner.ended(.recovery) }
  }
}
