import DatastoreCore
import DatastoreTestSupport
import Foundation
import Glibc
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Staged changes survive the end of their process.
@MainActor
@Suite struct RecoveryTests {
  private func path(_ file: TemporaryFile) -> String {
    file.url.deletingLastPathComponent().appendingPathComponent(
      ".\(file.url.lastPathComponent).datastore-recovery"
    ).path
  }

  private func employees(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
  }

  /// Stages changes of all kinds and leaves the file that a crash would leave.
  private func crash(_ file: TemporaryFile) async throws {
    let browser = try await employees(file)
    await browser.press("right", "e")
    await browser.type("e")
    await browser.press("enter", "down", "$", "e")
    await browser.type("Borg")
    await browser.press("enter", "a", "0", "right", "e")
    await browser.type("Neo")
    await browser.press("enter", "$", "e")
    await browser.type("Borg")
    await browser.press("enter", "home", "down", "down", "down", "D", "y")
    #expect(browser.toolbar.hasPrefix(" ● 2 changed, 1 new, 1 deleted"))
    let kept = try Data(contentsOf: URL(fileURLWithPath: path(file)))
    await browser.press("q", "d")
    #expect(!FileManager.default.fileExists(atPath: path(file)))
    try kept.write(to: URL(fileURLWithPath: path(file)))
  }

  @Test func everythingIsStagedAgainAndTheFileGoesWithTheSave() async throws {
    let file = try TemporaryFile.company()
    try await crash(file)
    let browser = try await employees(file)
    #expect(browser.picture.joined().contains("without saving: 2 changed, 1 new, 1 deleted"))
    await browser.press("esc")
    #expect(FileManager.default.fileExists(atPath: path(file)))
    await browser.press("q")
    let second = try await employees(file)
    await second.press("r")
    #expect(second.toolbar.hasPrefix(" ● 2 changed, 1 new, 1 deleted"))
    #expect(second.table[1].contains("*Anne"))
    #expect(FileManager.default.fileExists(atPath: path(file)))
    await second.press("ctrl-s")
    #expect(second.status.contains("Saved: 2 changed, 1 new, 1 deleted."))
    #expect(!FileManager.default.fileExists(atPath: path(file)))
    #expect(
      try file.values(
        "SELECT id || name || coalesce(company_id, '-') FROM Employee ORDER BY id")
        == ["1Anne1", "2Bob2", "3Cid2", "599", "6Neo2"])
  }

  @Test func discardingAsksNoMore() async throws {
    let file = try TemporaryFile.company()
    try await crash(file)
    let browser = try await employees(file)
    await browser.press("d", "y")
    #expect(!FileManager.default.fileExists(atPath: path(file)))
    #expect(browser.toolbar.contains("no unsaved changes"))
  }

  @Test func whatTheStoreHoldsByNowIsAConflict() async throws {
    let file = try TemporaryFile.company()
    try await crash(file)
    try file.execute("UPDATE Employee SET name = 'Anna' WHERE id = 1")
    try file.execute("DELETE FROM Employee WHERE id = 2")
    let browser = try await employees(file)
    await browser.press("r")
    #expect(browser.picture.contains { $0.contains("(?) Anne") && $0.contains("(?) Anna") })
    #expect(browser.picture.contains { $0.contains("was deleted by someone else") })
    await browser.press("M", "enter")
    #expect(browser.toolbar.contains("1 changed, 2 new, 1 deleted"))
    await browser.press("ctrl-s")
    #expect(
      try file.values("SELECT id || name FROM Employee WHERE id < 3") == ["1Anne", "2Bob"])
  }

  @Test func aFileThatIsInUseIsNotOfferedAndNotOverwritten() async throws {
    let file = try TemporaryFile.company()
    let first = try await employees(file)
    await first.press("right", "e", "x", "enter")
    let second = try await employees(file)
    #expect(second.browser.state.overlays.isEmpty)
    await second.press("right", "down", "e", "y", "enter")
    #expect(FileManager.default.fileExists(atPath: path(file) + "-2"))
    await second.press("ctrl-r", "y")
    #expect(!FileManager.default.fileExists(atPath: path(file) + "-2"))
    #expect(FileManager.default.fileExists(atPath: path(file)))
    await first.press("u")
    #expect(!FileManager.default.fileExists(atPath: path(file)))
  }

  @Test func aDamagedFileIsToldAndLeft() async throws {
    let file = try TemporaryFile.company()
    try Data("{\"format\":\"datastore-recovery\",\"version\":1,\"store\":\"x\"}\n{oops\n".utf8)
      .write(to: URL(fileURLWithPath: path(file)))
    let browser = try await employees(file)
    let said = browser.browser.state.message?.text
    #expect(said?.contains("cannot be read: line 2 is damaged") == true)
    await browser.press("right", "e", "x", "enter")
    #expect(FileManager.default.fileExists(atPath: path(file) + "-2"))
    #expect(try String(contentsOfFile: path(file), encoding: .utf8).hasSuffix("{oops\n"))
  }

  @Test func everyKindOfValueSurvives() throws {
    let schema = try Schema([
      EntityDescription(
        name: "T", properties: [.attribute(AttributeDescription(name: "a", type: .undefined))])
    ])
    let values: [Value] = [
      .null, 0, .integer(.min), .integer(.max), .real(1), .real(-0.0), .real(0.1), .real(.infinity),
      .real(.leastNonzeroMagnitude), "", "\n\u{0}\u{2028}\"ä😀", .blob(Data()),
      .blob(Data((0...255).map { UInt8($0) })),
    ]
    let staged = values.enumerated().map { index, value in
      StagedObject(
        entity: 0, key: RowKey(index), kind: .updated,
        changes: [StagedObject.Change(slot: 0, old: value, new: value)], members: [], row: [value])
    }
    let document = RecoveryDocument(staged, schema: schema, store: "/x", keyValues: { _, _ in nil })
    let read = try RecoveryDocument(document.encoded())
    #expect(read == document)
    for (object, value) in zip(read.objects, values) {
      #expect(object.changes["a"]?.new == .value(value))
    }
  }

  @Test func aStateDirectoryStandsInForOneThatCannotBeWritten() async throws {
    let store = URL(fileURLWithPath: "/nowhere/store.sqlite")
    let directory = try TemporaryDirectory()
    let folder = directory.file("state")
    let recovery = RecoveryFile(store: store, stateDirectory: folder) { _ in false }
    try await recovery.write(Data("x".utf8))
    let place = recovery.first.path
    #expect(place.hasPrefix(folder.path))
    #expect(FileManager.default.fileExists(atPath: place))
    var information = stat()
    stat(place, &information)
    #expect(information.st_mode & 0o777 == 0o600)
    await recovery.remove()
  }

  /// As when the disk of the store is full, or its directory was made read-only meanwhile.
  @Test func theStateDirectoryTakesOverWhenWritingFails() async throws {
    let file = try TemporaryFile.company()
    let beside = path(file)
    let state = file.url.deletingLastPathComponent().appendingPathComponent("state")
    let recovery = RecoveryFile(store: file.url, stateDirectory: state)
    try await recovery.write(Data("first".utf8))
    #expect(FileManager.default.contents(atPath: beside) == Data("first".utf8))
    // No file can have any of the names beside the store.
    unlink(beside)
    for name in [beside] + (2...20).map({ "\(beside)-\($0)" }) {
      try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: false)
    }
    try await recovery.write(Data("second".utf8))
    await recovery.release()
    let left = await RecoveryFile(store: file.url, stateDirectory: state).leftovers()
    #expect(left.count == 1)
    #expect(try left.map { try String(contentsOf: $0, encoding: .utf8) } == ["second"])
  }

  @Test func aClearedDefaultStaysCleared() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Team (id INTEGER PRIMARY KEY, name TEXT, size INTEGER DEFAULT 5);
      INSERT INTO Team VALUES (1, 'Reds', 7);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Team") }
    await browser.press("a", "$", "e", "ctrl-n", "enter")
    #expect(browser.toolbar.contains("1 new"))
    let kept = try Data(contentsOf: URL(fileURLWithPath: path(file)))
    await browser.press("q", "d")
    try kept.write(to: URL(fileURLWithPath: path(file)))
    let second = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Team") }
    await second.press("r", "ctrl-s")
    #expect(try file.values("SELECT ifnull(size, '-') FROM Team ORDER BY id") == ["7", "-"])
  }
}
