import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

/// The browser's side of a shared table: its staged changes, and the row that was shown when each was staged.
@MainActor
final class OurProcess {
  /// The change staged for one row.
  enum Intent: Equatable {
    /// By slot: the value that was shown, and the new one.
    case edit([Int: (old: String, new: String)])
    case deletion(values: [String])

    static func == (a: Intent, b: Intent) -> Bool { "\(a)" == "\(b)" }
  }

  private let folder: URL
  private let place: any BrowsedDatabase
  private(set) var datastore: SwiftDatastore
  private(set) var runner: EffectRunner
  private var events: [any BrowserEvent] = []
  /// A staged change of a row, by its key here, with the values that were shown.
  struct Staged {
    var key: RowKey
    var intent: Intent
    var shown: [String]
  }

  /// By the name of the row that was shown.
  var intents: [String: Staged] = [:]
  /// New rows by name.
  var insertions: [String: SharedTable.Row] = [:]

  /// - Parameter isFar: whether the file is at the other end of a line.
  init(_ file: TemporaryFile, isFar: Bool) throws {
    folder = file.url.deletingLastPathComponent()
    place = isFar ? FarFile(file) : file
    datastore = try place.open(.init())
    runner = Self.runner(datastore, place, in: folder)
    begin()
  }

  /// Keeps what is staged beside a file, or in the folder where the file is elsewhere.
  private static func runner(
    _ datastore: SwiftDatastore, _ place: any BrowsedDatabase, in folder: URL
  ) -> EffectRunner {
    EffectRunner(
      datastore,
      EffectEnvironment(server: place.server, stateDirectory: place.server.map { _ in folder }))
  }

  private func begin() {
    runner.send = { [weak self] in self?.events.append($0) }
    runner.begin()
  }

  var entity: Entity {
    guard let entity = datastore.schema.entity(named: "t") else {
      preconditionFailure("the table is there")
    }
    return entity
  }

  /// Carries out effects and returns the events that they send.
  @discardableResult
  func perform(_ effects: Effect...) async -> [any BrowserEvent] {
    events = []
    for effect in effects { runner.start(effect) }
    await settle()
    return events
  }

  private func settle() async {
    repeat {
      await runner.drainMainQueue()
      if !runner.isIdle {
        await withCheckedContinuation { continuation in
          runner.becameIdle = { [runner] in
            runner.becameIdle = {}
            continuation.resume()
          }
        }
      }
      await runner.drainMainQueue()
    } while !runner.isIdle
  }

  func look() async {
    _ = await runner.service(TableChangeWatch.self).check()
    await settle()
    followKeys()
  }

  /// Rows that were moved have other keys here.
  private func followKeys() {
    guard let slot = entity.slot(named: "name") else { return }
    for staged in runner.view.stagedObjects() where !staged.row.isEmpty {
      intents[TwoProcessRound.text(staged.row[slot])]?.key = staged.key
    }
  }

  /// A shown row: its key, name and values.
  func shown(_ random: inout SeededRandom) async throws -> (RowKey, String, [String])? {
    let key: RowKey
    let found: DynamicObject?
    do {
      let keys = try await runner.view.answer(KeysQuestion(FetchRequest(entity: "t")))
      guard let drawn = keys.randomElement(using: &random) else { return nil }
      key = drawn
      found = try await runner.view.load(entity: entity.index, keys: [key]).first
    } catch StoreError.replaced {
      // The file that was opened lost its log when it was replaced.
      return nil
    }
    guard let object = found, !object.isDeleted, !object.hasChanges else { return nil }
    return (key, text(object, "name"), SharedTable.columns.map { text(object, $0) })
  }

  private func text(_ object: DynamicObject, _ name: String) -> String {
    switch object[name] {
    case .text(let text): text
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .null, .blob: ""
    }
  }

  func reference(_ key: RowKey) -> ObjectReference {
    ObjectReference(entity: entity.index, key: key)
  }

  /// Ends without closing, saving or reverting, and begins again.
  func crash() async throws {
    await recovery.written()
    await settle()
    // The lock on the recovery file goes with its process.
    await recovery.file?.release()
    runner.send = { _ in }
    runner.stop()
    await settle()
    try datastore.close()
    datastore = try place.open(.init())
    runner = Self.runner(datastore, place, in: folder)
    begin()
  }

  /// The content of the recovery file.
  func recoveryContents() async throws -> Data? {
    await recovery.written()
    return (recovery.file?.first).flatMap { try? Data(contentsOf: $0) }
  }

  /// Puts the recovery file there that a crash between the commit and its removal leaves.
  func leave(recovery data: Data) throws {
    guard let file = recovery.file?.first else { return }
    try data.write(to: file)
    guard chmod(file.path, 0o600) == 0 else { throw POSIXError(.EPERM) }
  }

  private var recovery: RecoveryKeeper { runner.service(RecoveryKeeper.self) }

  /// Stages again the changes that the crash has left.
  func restore() async -> RestagingReport? {
    if let file = recovery.file { await Self.waitForLock(of: file.first.path) }
    guard let url = await recovery.file?.leftovers().first else { return nil }
    for case RecoveryEvent.restored(let report, _) in await perform(.restoreRecovery(url.path)) {
      return report
    }
    return nil
  }

  /// Waits while a program that another test is just starting holds the lock: until it runs, it has every
  /// file that this process had open.
  private static func waitForLock(of path: String) async {
    await BlockingWork.run {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      flock(descriptor, LOCK_SH)
      close(descriptor)
    }
  }

  func forget() {
    intents = [:]
    insertions = [:]
  }
}
