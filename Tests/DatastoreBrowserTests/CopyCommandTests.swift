import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The command that writes what is on the screen.
@MainActor
@Suite struct CopyCommandTests {
  private func copied(_ browser: BrowserDriver) async -> String {
    await browser.press("gy")
    // Without the program and the path of the file.
    let words = (browser.terminal.clipboard ?? "").split(separator: " ", maxSplits: 3)
    return words.count == 4 ? "… \(words[3])" : ""
  }

  @Test func rowsColumnsOrderAndGroups() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Employee") }
    #expect(
      await copied(browser) == "… Employee --columns 'id, name, position, salary, company.name'")
    #expect(browser.status.contains("Copied: datastore query"))
    await browser.press("right", "-", "s", "s", "w")
    await browser.type("name BEGINSWITH \"A\" OR name = \"O'Neil\"")
    await browser.press("enter", "gb")
    #expect(
      await copied(browser)
        == "… Employee --where 'name BEGINSWITH \"A\" OR name == \"O'\\''Neil\"' "
        + "--columns 'id, position, salary, company.name' --order-by 'position desc'")
    await browser.press("s", "s", "Z")
    #expect(
      await copied(browser).hasSuffix(
        "--group-by position --columns 'position, count' --order-by position"))
  }

  @Test func membersAndTheirNumbers() async throws {
    let browser = try await BrowserDriver(.company()) { _ in BrowserOptions(entity: "Company") }
    await browser.press("+", "a", "esc")
    #expect(await copied(browser).contains("Employee.@count"))
    await browser.press("$", "o")
    #expect(await copied(browser).contains("--where 'company == 1'"))
  }

  @Test func wordsOfAShell() {
    for (word, text) in [
      ("plain", "plain"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"), ("$x", "'$x'"),
      ("a\nb", "'a\nb'"), ("ä", "'ä'"), ("/a/b.c", "/a/b.c"),
    ] {
      #expect(QueryCommandText.quoted(word) == text)
    }
  }
}
