import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

@MainActor
@Suite struct ThemePickerTests {
  /// A folder with the shipped scheme files and one invalid.
  private static func folder() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("themes")
    for name in ["datastore-dark", "datastore-light"] {
      try FileManager.default.copyItem(
        at: shipped.appendingPathComponent("\(name).yaml"),
        to: folder.file("\(name).yaml"))
    }
    try folder.write("scheme: x\n", to: "broken.yaml")
    return folder
  }

  private func driver(_ folder: TemporaryDirectory) async throws -> BrowserDriver {
    try await BrowserDriver(try TemporaryFile.company()) { _ in
      BrowserOptions(themeFolders: [folder.url])
    }
  }

  @Test func movingShowsEachThemeAndEscapeBringsBackTheOldOne() async throws {
    let folder = try Self.folder()
    let driver = try await driver(folder)
    await driver.press("T")
    #expect(driver.picture.contains { $0.contains("datastore-light") && $0.contains("light") })
    #expect(driver.picture.contains { $0.contains("broken") && $0.contains("unusable") })
    await driver.press("down")
    #expect(driver.terminal.theme.name == "Datastore Light")
    await driver.press("esc")
    #expect(driver.terminal.theme == .fallback)
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func enterKeepsATheme() async throws {
    let folder = try Self.folder()
    let driver = try await driver(folder)
    await driver.press("T", "end", "enter")
    #expect(driver.terminal.theme.name == "Datastore Light")
    #expect(driver.browser.state.overlays.isEmpty)
  }

  @Test func aFileAtFaultIsNamedAndNotTaken() async throws {
    let folder = try Self.folder()
    let driver = try await driver(folder)
    await driver.press("T", "home", "enter")
    // Not from the screen, where the path of the file may be too long for the rest.
    #expect(driver.browser.state.message?.text.contains("broken.yaml") == true)
    #expect(driver.terminal.theme == .fallback)
    #expect(!driver.browser.state.overlays.isEmpty)
  }
}
