import DatastoreCore
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: a trigger never ends → esc, q, ctrl-c, a signal or the task's cancellation stops the save; what
// was staged stays.
/// A save that would never end, since a trigger of the file never does.
@MainActor
@Suite struct StoppedSavingTests {
  private func makeFile() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);
      INSERT INTO t VALUES (1, 'a'), (2, 'b');
      CREATE TABLE d (i);
      INSERT INTO d VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10);
      CREATE TABLE log (i);
      CREATE TRIGGER slow AFTER UPDATE ON t BEGIN
        INSERT INTO log SELECT sum(a.i + q.i) FROM
          d a, d b, d c, d e, d f, d g, d h, d j, d k, d l, d m, d n, d o, d p, d q;
      END;
      """)
  }

  private func edited(_ file: TemporaryFile) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "t") }
    await browser.press("right", "e", "x", "enter")
    return browser
  }

  @Test(arguments: ["esc", "q", "ctrl-c"])
  func aKeyStopsIt(key: String) async throws {
    let file = try makeFile()
    let browser = try await edited(file)
    browser.terminal.press(Key(stringLiteral: "ctrl-s"))
    await browser.press(key)
    #expect(browser.status.contains("The save was stopped; nothing was written"))
    #expect(browser.browser.state.editing.marks.changed == 1)
    // The lock is given back.
    try file.execute("DROP TRIGGER slow")
    await browser.press("ctrl-s")
    #expect(try file.values("SELECT n FROM t ORDER BY id") == ["ax", "b"])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func aSignalStopsItAndTheChangesAreKept(signal: Int32) async throws {
    let file = try makeFile()
    let browser = try await edited(file)
    browser.terminal.press(Key(stringLiteral: "ctrl-s"))
    browser.terminal.send(.terminate(signal: signal))
    await browser.browser.runner.ended(.staging)
    try file.execute("DROP TRIGGER slow")
    #expect(try file.values("SELECT n FROM t ORDER BY id") == ["a", "b"])
    let left = file.url.deletingLastPathComponent()
      .appendingPathComponent(".\(file.url.lastPathComponent).datastore-recovery").path
    #expect(FileManager.default.fileExists(atPath: left))
  }

  @Test func theLibraryStopsWithItsTask() async throws {
    let file = try makeFile()
    let datastore = try SwiftDatastore(opening: file.url)
    let (began, begin) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await datastore.write { context in
        let objects: [DynamicObject] = try context.fetch(FetchRequest(entity: "t"))
        objects.first?["n"] = "x"
        begin.yield()
      }
    }
    for await _ in began { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try file.values("SELECT n FROM t ORDER BY id") == ["a", "b"])
    try file.execute("DROP TRIGGER slow")
    try datastore.close()
  }
}
