import DatastoreCore
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The lines for a person who does not see the screen.
@MainActor
@Suite struct ScreenReaderTests {
  private let file: TemporaryFile

  init() throws {
    file = try .company()
  }

  private func browser(_ change: (inout BrowserOptions) -> Void = { _ in }) async throws
    -> BrowserDriver
  {
    try await BrowserDriver(file) { _ in
      var options = BrowserOptions(entity: "Employee")
      options.configuration.isForScreenReader = true
      change(&options)
      return options
    }
  }

  /// The output since the last call: lines, and typed characters in a line of their own.
  private func heard(_ browser: BrowserDriver, after count: inout Int) -> [String] {
    let spoken = browser.terminal.spoken
    defer { count = spoken.count }
    return spoken[count...].map { text in
      switch text {
      case .line(let line): line
      case .character(let character): "'\(character)'"
      }
    }
  }

  @Test func theStartTellsThePlaceAndTheRow() async throws {
    let browser = try await browser()
    var count = 0
    let lines = heard(browser, after: &count)
    #expect(lines.first == "Employee, 5 rows.", "\(lines)")
    #expect(lines.contains("row 1 of 5."), "\(lines)")
    #expect(lines.contains("name: Ann"))
    #expect(lines.contains("company: Acme"))
    #expect(browser.picture.isEmpty)
  }

  @Test func eachKeySaysWhatItHasChangedAndNothingElse() async throws {
    let browser = try await browser()
    var count = 0
    _ = heard(browser, after: &count)
    await browser.press("down")
    #expect(
      heard(browser, after: &count) == [
        "row 2 of 5.", "id: 2", "name: Bob", "position: designer", "salary: 2800.5",
        "company: Acme",
      ])
    await browser.press("right")
    #expect(heard(browser, after: &count) == ["name: Bob"])
    await browser.press("up", "up")
    let lines = heard(browser, after: &count)
    #expect(lines.count { $0 == "row 1 of 5." } == 1)
    await browser.press("G")
    #expect(
      heard(browser, after: &count).prefix(3) == ["row 5 of 5.", "id: 5", "name: empty text"])
    await browser.press("space")
    let selected = heard(browser, after: &count)
    #expect(selected == ["row 5 of 5, selected.", "1 row selected."], "\(selected)")
    await browser.press("u")
    #expect(heard(browser, after: &count) == ["There is nothing to undo."])
  }

  @Test func editsAreEchoedStagedAndSaved() async throws {
    let browser = try await browser()
    var count = 0
    await browser.press("right")
    _ = heard(browser, after: &count)
    await browser.press("e")
    let opened = heard(browser, after: &count)
    #expect(opened.contains { $0.contains("Employee.name") }, "\(opened)")
    await browser.press("x")
    let typed = heard(browser, after: &count)
    #expect(typed.count <= 2, "\(typed)")
    await browser.press("enter")
    let staged = heard(browser, after: &count)
    #expect(staged.contains("name: Annx"), "\(staged)")
    #expect(staged.contains("Unsaved: 1 changed."), "\(staged)")
    await browser.press("ctrl-s")
    let saved = heard(browser, after: &count)
    #expect(saved.contains("Saved: 1 changed."), "\(saved)")
    #expect(saved.contains("No unsaved changes."), "\(saved)")
  }

  @Test func aSummaryDoesNotEndUnsavedChanges() async throws {
    let browser = try await browser()
    var count = 0
    await browser.press("right", "e", "x", "enter")
    _ = heard(browser, after: &count)
    await browser.press("t")
    let opened = heard(browser, after: &count)
    #expect(!opened.isEmpty)
    #expect(!opened.contains("No unsaved changes."), "\(opened)")
    await browser.press("q")
    let back = heard(browser, after: &count)
    #expect(!back.contains { $0.hasPrefix("Unsaved:") }, "\(back)")
    await browser.press("ctrl-s")
    let saved = heard(browser, after: &count)
    #expect(saved.contains("No unsaved changes."), "\(saved)")
  }

  @Test func listsAndQuestionsAreReadOut() async throws {
    let browser = try await browser()
    var count = 0
    _ = heard(browser, after: &count)
    await browser.press("tab")
    let detail = heard(browser, after: &count)
    #expect(detail.first == "Details of Ann.", "\(detail)")
    await browser.press("down")
    #expect(heard(browser, after: &count) == ["name: Ann, text"])
    await browser.press("tab")
    let entities = heard(browser, after: &count)
    #expect(entities == ["List of entities.", "Employee, 2 of 3."], "\(entities)")
    await browser.press("tab", "D")
    let question = heard(browser, after: &count)
    #expect(question.contains { $0.contains("Delete") }, "\(question)")
    #expect(!question.joined().contains("━"))
    await browser.press("n", "?")
    let help = heard(browser, after: &count)
    #expect(help.count > 10)
    await browser.press("esc")
    let back = heard(browser, after: &count)
    #expect(back.contains("row 1 of 5."), "\(back)")
  }

  @Test func dataCannotSpeakToTheTerminal() async throws {
    try file.execute(
      "UPDATE Employee SET name = 'a' || char(27) || ']0;x' || char(7) || char(8238) WHERE id = 1")
    let browser = try await browser()
    let said = browser.terminal.spoken.map { "\($0)" }.joined()
    #expect(said.contains("a␛]0;x␇·"))
    #expect(!said.unicodeScalars.contains { $0.value == 27 || $0.value == 7 || $0.value == 8238 })
  }

  @Test func sectionsAreNamed() async throws {
    let browser = try await browser { $0.groupBy = ["position"] }
    var count = 0
    await browser.press("home")
    let lines = heard(browser, after: &count)
    #expect(lines.contains { $0.hasPrefix("section ") && $0.contains("1 row, open") }, "\(lines)")
  }
}
