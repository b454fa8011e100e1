import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: text is not UTF-8 → the same bytes after any edit, copy, undo, restore.
/// Text that is not UTF-8 stays what it is, whatever is done around it.
@MainActor
@Suite struct ForeignTextTests {
  private func makeFile() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, n INT);
      INSERT INTO t VALUES (1, CAST(X'61FF62' AS TEXT), 'x', 1), (2, CAST(X'C328' AS TEXT), 'y', 2);
      """)
  }

  private func hex(_ file: TemporaryFile, _ column: String = "a") throws -> [String] {
    try file.values("SELECT typeof(\(column)) || hex(\(column)) FROM t ORDER BY id")
  }

  private func open(_ file: TemporaryFile) async throws -> BrowserDriver {
    try await BrowserDriver(file) { _ in BrowserOptions(entity: "t") }
  }

  @Test func everySequenceOfBytesComesBackTheSame() {
    for round in 0..<RandomCases.count {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let bytes = (0..<random.below(24)).map { _ -> UInt8 in
        // Bytes that begin sequences, bytes that continue them, and the scalars that represent bytes.
        [UInt8(random.below(256)), 0xF4, 0x8F, 0xBA, 0xBB, 0xC3, 0x80, 0x61][random.below(8)]
      }
      var text = bytes.withUnsafeBufferPointer { String(stored: $0) }
      let written = text.withStoredUTF8 { Array($0) }
      #expect(written == bytes, "seed \(random.seed)")
      if let plain = String(validating: bytes, as: UTF8.self), !bytes.contains(0xF4) {
        #expect(text == plain)
      }
    }
  }

  @Test func editingLeavesTheOtherBytes() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("right", "e")
    browser.expectShown("a\u{FFFD}b")
    await browser.type("c")
    await browser.press("enter", "ctrl-s")
    #expect(browser.status.contains("Saved: 1 changed."))
    #expect(try hex(file) == ["text61FF6263", "textC328"])
  }

  @Test func otherColumnsUndoCopiesAndDeletionsLeaveIt() async throws {
    let file = try makeFile()
    let browser = try await open(file)
    await browser.press("right", "right", "e")
    await browser.type("z")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT b FROM t ORDER BY id") == ["xz", "y"])
    // A copy, and a deletion that is undone after it was saved.
    await browser.press("A", "ctrl-s")
    #expect(try hex(file) == ["text61FF62", "textC328", "text61FF62"])
    await browser.press("home", "D", "y", "ctrl-s")
    #expect(try hex(file).count == 2)
    await browser.press("u", "ctrl-s")
    #expect(try hex(file).contains("text61FF62") && hex(file).count == 3)
  }

  @Test func aRecoveryHasItsBytesAndIsSaved() async throws {
    let file = try makeFile()
    let path = file.url.deletingLastPathComponent()
      .appendingPathComponent(".\(file.url.lastPathComponent).datastore-recovery")
    let browser = try await open(file)
    await browser.press("right", "e")
    await browser.type("c")
    await browser.press("enter", "down", "right", "e")
    await browser.type("z")
    await browser.press("enter")
    let kept = try Data(contentsOf: path)
    await browser.press("q", "d")
    try kept.write(to: path)
    let second = try await open(file)
    await second.press("r")
    #expect(second.browser.state.overlays.isEmpty, "no conflict")
    await second.press("ctrl-s")
    #expect(second.status.contains("Saved: 2 changed."))
    #expect(try hex(file) == ["text61FF6263", "textC328"])
    #expect(try file.values("SELECT b FROM t ORDER BY id") == ["x", "yz"])
  }

  @Test func aKeyThatIsNotUTF8LeadsToItsRow() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE t (k TEXT PRIMARY KEY, b TEXT, c TEXT) WITHOUT ROWID;
      INSERT INTO t VALUES (CAST(X'FF' AS TEXT), 'x', 'p'), (CAST(X'FE' AS TEXT), 'y', 'q');
      """)
    let browser = try await open(file)
    #expect(browser.table.count { $0.contains("\u{FFFD}") } == 2)
    await browser.press("right", "e")
    await browser.type("z")
    await browser.press("enter", "ctrl-s")
    #expect(try file.values("SELECT hex(k) || b FROM t ORDER BY k") == ["FEyz", "FFx"])
  }
}
