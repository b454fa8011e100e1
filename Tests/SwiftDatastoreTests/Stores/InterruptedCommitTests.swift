import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// A save over both files whose process ends, or whose disk fails, between two commits.
@Suite("Several stores: a save that is interrupted")
struct InterruptedCommitTests {
  private let files: DividedFiles

  init() throws { files = try DividedFiles() }

  /// Counts the commits of the save that is watched, and does something before one of them.
  private final class CommitWatch: Sendable {
    private let state = Lock((begun: 0, commits: 0))
    private let isOn = Lock(false)
    private let body: @Sendable (_ commit: Int) -> Void

    init(_ body: @escaping @Sendable (_ commit: Int) -> Void) { self.body = body }

    func begin() { isOn.withLock { $0 = true } }

    /// Called with each statement before it runs.
    func see(_ sql: String) {
      guard isOn.withLock({ $0 }) else { return }
      let commit = state.withLock { state -> Int? in
        if sql.hasPrefix("BEGIN IMMEDIATE") { state.begun += 1 }
        guard state.begun == 2, sql.hasPrefix("COMMIT") else { return nil }
        state.commits += 1
        return state.commits
      }
      if let commit { body(commit) }
    }
  }

  private static func open(
    _ folder: String, _ watch: CommitWatch
  ) throws -> SwiftDatastore {
    try SwiftDatastore(
      dataModel: DividedFiles.model(),
      stores: DividedFiles.stores(in: URL(fileURLWithPath: folder)),
      options: .init(traceSQL: { watch.see($0) }))
  }

  private static func stage(_ number: Int, in context: some ObjectContext) throws {
    let author: Poet = try context.createObject()
    author.name = "author \(number)"
    let sheet: Sheet = try context.createObject()
    sheet.number = number
  }

  private func saveOnce(_ number: Int) throws {
    let context = try files.open().newLocalContext()
    try Self.stage(number, in: context)
    try context.saveChanges()
  }

  private func counts() throws -> [String] {
    try [("Poet", files.kept), ("Sheet", files.cache)].map { table, url in
      try SQLiteFile.output(of: "SELECT count(*) FROM \(table)", at: url)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  // Promise: the program is killed before the first of two commits, or between them → nothing is there; or
  // the first file has it, and opening names the file that lacks it.
  // Also: `InterruptedCommitTests.killedInBetween`
  @Test("A process that is killed before the first commit leaves nothing, and nothing to tell")
  func killedBeforeTheFirst() async throws {
    try saveOnce(1)
    let folder = files.folder.url.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
      try Self.killingItself(beforeCommit: 1, in: folder)
    }
    #expect(try counts() == ["1", "1"])
    #expect(try files.open().incompleteSaves().isEmpty)
  }

  @Test("A process that is killed between the commits leaves one, and opening tells which")
  func killedInBetween() async throws {
    try saveOnce(1)
    let folder = files.folder.url.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
      try Self.killingItself(beforeCommit: 2, in: folder)
    }
    #expect(try counts() == ["2", "1"])
    let events = Events()
    var options = SwiftDatastore.Options()
    options.logger = events
    let datastore = try files.open(options)
    let sentence =
      "The last save across \(files.kept.path) and \(files.cache.path) is not in \(files.cache.path): the "
      + "program ended while it was saved, or the file was put back from a backup."
    #expect(events.warnings == [sentence])
    #expect(try datastore.incompleteSaves().map(\.description) == [sentence])
    #expect(try datastore.incompleteSaves().first?.file == files.kept)
    // From now on, saves over both are whole again.
    let context = datastore.newLocalContext()
    try Self.stage(3, in: context)
    try context.saveChanges()
    #expect(try datastore.incompleteSaves().isEmpty)
    #expect(try counts() == ["3", "2"])
  }

  private static func killingItself(beforeCommit number: Int, in folder: String) throws {
    let watch = CommitWatch { if $0 == number { kill(getpid(), SIGKILL) } }
    let context = try open(folder, watch).newLocalContext()
    try stage(2, in: context)
    watch.begin()
    try context.saveChanges()
  }

  private final class Events: DatastoreLogger {
    private let lines = Lock<[String]>([])

    var level: DatastoreEvent.Level { .warning }
    var warnings: [String] { lines.withLock { $0 } }

    func log(_ event: DatastoreEvent) { lines.withLock { $0.append(event.description) } }
  }

  // Promise: a commit fails after another one; a file is put back from a backup → `savedInPart`, staged
  // stays staged; found as older.
  // Also: `InterruptedCommitTests.putBack`
  @Test("A commit that fails after another one is told, and every context reads what is there")
  func secondCommitFails() async throws {
    try saveOnce(1)
    let folder = files.folder.url.path
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      signal(SIGXFSZ, SIG_IGN)
      let log = folder + "/cache.sqlite-wal"
      let watch = CommitWatch { commit in
        // The last frame of the log, which makes it a commit, does not fit.
        if commit == 2 { Self.limitFiles(to: Self.size(of: log)) }
      }
      let datastore = try Self.open(folder, watch)
      let context = datastore.newLocalContext()
      let other = datastore.newContext()
      let before = try await other.perform { try $0.count(From<Poet>()) }
      try Self.stage(2, in: context)
      watch.begin()
      let error = #expect(throws: StoreError.self) { try context.saveChanges() }
      Self.limitFiles(to: .max)
      guard case .savedInPart(let saved, let unsaved, _) = try #require(error) else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(saved == [folder + "/kept.sqlite"] && unsaved == [folder + "/cache.sqlite"])
      #expect(context.hasChanges)
      context.revertChanges()
      #expect(try context.count(From<Poet>()) == before + 1)
      #expect(try context.count(From<Sheet>()) == 1)
      #expect(try datastore.incompleteSaves().map(\.isKnown) == [true])
      #expect(try await other.perform { try $0.count(From<Poet>()) } == before + 1)
    }
    #expect(try counts() == ["2", "1"])
  }

  @Test("A disk that takes no more pages of one file is met before the other one is committed")
  func pagesDoNotFit() async throws {
    try saveOnce(1)
    let folder = files.folder.url.path
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      signal(SIGXFSZ, SIG_IGN)
      let datastore = try Self.open(folder, CommitWatch { _ in })
      let context = datastore.newLocalContext()
      let photo: Photo = try context.createObject()
      photo.text = String(repeating: "long ", count: 40_000)
      try context.saveChanges()
      try Self.stage(2, in: context)
      // The log of the other file is far shorter.
      Self.limitFiles(to: Self.size(of: folder + "/cache.sqlite-wal"))
      let error = #expect(throws: StoreError.self) { try context.saveChanges() }
      Self.limitFiles(to: .max)
      #expect(try !(#require(error)).isSavedInPart, "\(String(describing: error))")
      let other = datastore.newLocalContext()
      #expect(try other.count(From<Poet>()) == 1)
      #expect(try other.count(From<Sheet>()) == 1)
      #expect(try datastore.incompleteSaves().isEmpty)
      try context.saveChanges()
    }
    #expect(try counts() == ["2", "2"])
  }

  private static func size(of path: String) -> rlim_t {
    var status = stat()
    return stat(path, &status) == 0 ? rlim_t(status.st_size) : 0
  }

  private static func limitFiles(to size: rlim_t) {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = min(size, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  @Test("A file that is put back from a backup is found, and which one is older")
  func putBack() throws {
    try saveOnce(1)
    let copy = files.folder.file("copy.sqlite")
    try FileManager.default.copyItem(at: files.kept, to: copy)
    try saveOnce(2)
    try FileManager.default.removeItem(at: files.kept)
    try FileManager.default.moveItem(at: copy, to: files.kept)
    let found = try files.open().incompleteSaves()
    #expect(found.map(\.lacking) == [files.kept])
    #expect(found.map(\.isKnown) == [true])
  }
}
