import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser
@testable import DatastoreImport

// Promise: the browser ends with unsaved changes of a CSV or JSON file → offered when the file is opened
// again, and staged on the records that they were made on, wherever these are by then; else it asks.
// Also: `FileRecoveryOnTerminalTests`
/// Staged changes of files whose rows are shown from a copy survive the end of their process.
@MainActor
@Suite("Recovering changes of files of rows")
struct FileRecoveryTests {
  private static let text = "city,country\nParis,FR\nOslo,NO\n"
  private let directory: TemporaryDirectory
  private var recovery: URL { directory.file(".data.csv.datastore-recovery") }

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.text, to: "data.csv")
  }

  /// The browser on a new copy of the file.
  @MainActor
  private final class Shown {
    let terminal = MemoryTerminal(size: Size(columns: 100, rows: 24), glyphs: .unicode)
    let browser: Browser

    init(_ datastore: SwiftDatastore, _ options: BrowserOptions) {
      browser = Browser(datastore, terminal: terminal, options: options)
    }

    func press(_ keys: String...) async {
      for key in keys.flatMap({ KeySequence(stringLiteral: $0).keys }) {
        terminal.press(key)
        await browser.idle()
      }
    }

    /// Replaces the first value.
    func edit(_ text: String) async {
      await press("e", "ctrl-u")
      terminal.type(text)
      await browser.idle()
      await press("enter")
    }

    func expectShown(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
      let shown = terminal.picture
      let isShown = shown.contains { $0.contains(text) }
      #expect(
        isShown, "“\(text)” is not on the screen:\n\(shown.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
    }
  }

  private func show() async throws -> Shown {
    var reading = ReadingOptions()
    reading.csv.keepsIrregular = true
    reading.csv.keepsText = true
    let plan = try LoadPlan(tables: [directory.path("data.csv")], entity: nil, reading: reading)
    // Another store each time.
    let url = directory.file("\(UUID().uuidString).sqlite")
    try SwiftDatastore(schema: plan.inferredSchema { _ in }.schema, url: url).close()
    var options = BrowserOptions()
    options.importing = plan.sources[0]
    options.copiedFile = "data.csv"
    options.rowSources = plan.sources
    options.sourceFiles = [try #require(try SourceFile(plan.sources[0]))]
    let shown = Shown(try SwiftDatastore(opening: url), options)
    try shown.browser.start()
    await shown.browser.idle()
    return shown
  }

  /// Stages a change and leaves the file that a crash would leave.
  private func crash() async throws {
    let shown = try await show()
    await shown.edit("Lyon")
    shown.expectShown("● 1 changed")
    let kept = try Data(contentsOf: recovery)
    await shown.press("q", "d")
    #expect(!FileManager.default.fileExists(atPath: recovery.path))
    try kept.write(to: recovery)
  }

  private func content() throws -> String {
    try String(contentsOf: directory.file("data.csv"), encoding: .utf8)
  }

  @Test("They are offered, restored and written, and the recovery file goes with that")
  func restoring() async throws {
    try await crash()
    let shown = try await show()
    shown.expectShown("without saving: 1 changed")
    await shown.press("r")
    shown.expectShown("● 1 changed")
    #expect(FileManager.default.fileExists(atPath: recovery.path))
    await shown.press("ctrl-s", "ctrl-s")
    #expect(try content() == Self.text.replacing("Paris", with: "Lyon"))
    #expect(!FileManager.default.fileExists(atPath: recovery.path))
  }

  @Test("A record that has another place by then is found by its values")
  func movedRecord() async throws {
    try await crash()
    // The record that has its place now has the same values besides the edited one.
    try directory.write("city,country\nNice,FR\nParis,FR\nOslo,NO\n", to: "data.csv")
    let shown = try await show()
    await shown.press("r")
    shown.expectShown("● 1 changed")
    await shown.press("ctrl-s", "ctrl-s")
    #expect(try content() == "city,country\nNice,FR\nLyon,FR\nOslo,NO\n")
  }

  @Test("If the record is gone, it asks before another one is changed")
  func lostRecord() async throws {
    try await crash()
    let other = "city,country\nNice,FR\nOslo,NO\n"
    try directory.write(other, to: "data.csv")
    let shown = try await show()
    await shown.press("r")
    let isAsked = shown.browser.state.overlay(as: ConflictScreen.self) != nil
    #expect(isAsked)
    await shown.press("esc")
    #expect(try content() == other)
  }

  @Test("What is saved in the copy and cannot be written into the file is still kept")
  func unwritten() async throws {
    let shown = try await show()
    await shown.edit("Lyon")
    try directory.write("city,country\nNice,FR\nParis,FR\n", to: "data.csv")
    await shown.press("ctrl-s", "ctrl-s")
    shown.expectShown("Not everything was written")
    #expect(try String(contentsOf: recovery, encoding: .utf8).contains("Lyon"))
    await shown.press("esc")
    // A further change of the same value continues the first one.
    await shown.edit("Lille")
    let kept = try RecoveryDocument(Data(contentsOf: recovery))
    #expect(kept.objects.count == 1)
    #expect(kept.objects.first?.changes["city"]?.old == .value(.text("Paris")))
    #expect(kept.objects.first?.changes["city"]?.new == .value(.text("Lille")))
    await shown.press("q")
    shown.expectShown("keep for next time")
    await shown.press("d")
    #expect(!FileManager.default.fileExists(atPath: recovery.path))
  }

  @Test("What was too much to stage and cannot be written into the file is kept, and restored")
  func writtenAtOnce() async throws {
    let text = "city,country\n" + (1...10_050).map { "City \($0),FR\n" }.joined()
    try directory.write(text, to: "data.csv")
    let shown = try await show()
    await shown.press("right", "ctrl-a", "B", "ctrl-u")
    shown.terminal.type("NO")
    await shown.browser.idle()
    await shown.press("enter")
    shown.expectShown("WRITTEN AT ONCE")
    try directory.write("city,country\nNice,FR\n", to: "data.csv")
    await shown.press("W")
    shown.expectShown("Not everything was written")
    let left = try Data(contentsOf: recovery)
    let kept = try RecoveryDocument(left)
    #expect(kept.objects.count == 10_050)
    #expect(kept.objects.first?.changes["country"]?.old == .value(.text("FR")))
    #expect(kept.objects.first?.changes["country"]?.new == .value(.text("NO")))
    await shown.press("esc", "q", "d")
    #expect(!FileManager.default.fileExists(atPath: recovery.path))

    try directory.write(text, to: "data.csv")
    try left.write(to: recovery)
    let again = try await show()
    again.expectShown("without saving: 10,050 changed")
    await again.press("r", "ctrl-s", "ctrl-s")
    #expect(try content() == text.replacing("FR", with: "NO"))
  }
}
