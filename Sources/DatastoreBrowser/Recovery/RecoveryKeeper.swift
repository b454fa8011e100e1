import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// The writes of the recovery file.
  static let recovery = Lane("recovery", .inOrder, atEnd: .completed)
}

/// Writes the staged changes to the recovery file, so that a crash loses none of them.
@MainActor
final class RecoveryKeeper: EffectService {
  private unowned let runner: EffectRunner
  /// Nil for stores that are neither in a file nor in a server.
  let file: RecoveryFile?
  private var isWriting = false
  /// The staged changes of rows, and of the schema.
  private var staged: [StagedObject] = []
  /// The staged changes that are being saved in a copy of files.
  private var saving: [StagedObject]?
  /// The changes that were saved in a copy, and that its files still lack.
  private var unwritten: [StagedObject] = []
  /// Whether the files of a copy also lack changes that are not kept.
  private(set) var lacksDirectWrites = false
  private var schemaEdits: [SchemaEdit] = []
  /// Whether these are to be written; of several states during a write, only the last one is.
  private var isOutdated = false
  /// Whether the last write has failed and the failure was reported.
  private(set) var hasFailed = false

  init(_ runner: EffectRunner) {
    self.runner = runner
    let environment = runner.environment
    // A copy is removed with the browser, and is another store the next time.
    let source = environment.sourceFiles.first.map { URL(fileURLWithPath: $0) }
    if let url = source ?? runner.datastore.url {
      file = RecoveryFile(store: url, stateDirectory: environment.stateDirectory)
    } else {
      file = environment.stateDirectory.flatMap { directory in
        environment.server.map { RecoveryFile(server: $0, in: directory) }
      }
    }
  }

  /// Starts to follow the staged changes.
  func begin() {
    let feed = runner.service(StagingFeed.self)
    feed.stagedHasChanged = { [weak self] in self?.keep($0) }
    feed.savingHasAdvanced = { [weak self] in self?.follow($0) }
  }

  /// Keeps what is saved in a copy until its files have it.
  private func follow(_ step: SavingStep) {
    guard !runner.environment.sourceFiles.isEmpty else { return }
    switch step {
    case .begun(let staged): saving = staged
    case .failed: saving = nil
    case .saved:
      unwritten += saving ?? []
      saving = nil
    case .writtenDirectly(let changes):
      if let changes { unwritten += changes } else { lacksDirectWrites = true }
    case .writtenIntoFiles:
      unwritten = []
      lacksDirectWrites = false
    }
    write()
  }

  /// Writes the staged changes to the recovery file, after the write before has ended.
  func keep(_ staged: [StagedObject]) {
    self.staged = staged
    write()
  }

  /// Writes the staged schema edits to the recovery file in the same way.
  func keep(schemaEdits: [SchemaEdit]) {
    self.schemaEdits = schemaEdits
    write()
  }

  /// Removes the recovery file.
  func keepNothing() {
    (staged, unwritten, schemaEdits) = ([], [], [])
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
        await write(unwritten + (saving ?? staged), schemaEdits, runner)
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
      files: runner.environment.sourceStates,
      keyValues: { view.keyValues(entity: $0, key: $1) })
    do {
      let data = try await Task.detached { try document.encoded() }.value
      try await file.write(data)
      hasFailed = false
    } catch {
      // Reported once, not for every key.
      if !hasFailed { runner.report(String(describing: error)) }
      hasFailed = true
    }
  }

  /// Returns when the recovery file is up to date.
  func written() async {
    while isWriting { await runner.ended(.recovery) }
  }
}
