import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The filter as a form.
@MainActor
@Suite struct FilterFormTests {
  private func browsing(
    _ filter: String? = nil, size: Size = Size(columns: 80, rows: 24),
    glyphs: GlyphSet = .unicode
  ) async throws -> BrowserDriver {
    try await BrowserDriver(.company(), size: size, glyphs: glyphs) { schema in
      var options = BrowserOptions(entity: "Employee")
      if let filter, let entity = schema.entity(named: "Employee") {
        options.predicate = try Predicate.parse(filter, entity: entity, in: schema)
      }
      return options
    }
  }

  private func form(_ browser: BrowserDriver) -> FilterForm? {
    browser.browser.state.overlays.lazy.compactMap { $0 as? FilterState }.last?.form
  }

  private static func trimmed(_ line: Substring) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private func text(_ browser: BrowserDriver) -> String? {
    browser.browser.state.overlay(as: FilterState.self)?.text
  }

  @Test func theScreenAt80x24() async throws {
    let browser = try await browsing(
      "name BEGINSWITH[c] \"a\" AND (company == 2 OR ANY Task.title == \"Plan\") AND salary * 2 > 1"
    )
    await browser.press("W")
    browser.expect(
      Array(browser.picture.suffix(12)),
      """
      ┏━ Employee where ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃   ALL of these hold                                                          ┃
      ┃ >   name BEGINSWITH[c] "a"                                                   ┃
      ┃     ANY of these holds                                                       ┃
      ┃       company == → Borg                                                      ┃
      ┃       ANY Task.title == "Plan"                                               ┃
      ┃     salary * 2 > 1                                                           ┃
      ┃   [ Show these rows ]                                                        ┃
      ┃ name BEGINSWITH[c] "a" AND (company == 2 OR ANY Task.title == "Plan") AND    ┃
      ┃ salary * 2 > 1                                                               ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 5 ━┛
      enter change  a add  w show rows  ctrl-t form or text  ctrl-o saved  esc cancel
      """)
  }

  @Test func conditionsAndGroupsMoveAmongTheirSiblings() async throws {
    let browser = try await browsing(
      "name == \"a\" AND (salary > 1 OR salary < 0) AND id != 3")
    await browser.press("W", "J")
    await browser.press("ctrl-t")
    #expect(text(browser) == "(salary > 1 OR salary < 0) AND name == \"a\" AND id != 3")
    await browser.press("ctrl-t", "home", "down", "down", "alt-down")
    await browser.press("ctrl-t")
    #expect(text(browser) == "(salary < 0 OR salary > 1) AND name == \"a\" AND id != 3")
    await browser.press("ctrl-t", "home", "down", "down", "K")
    #expect(form(browser)?.notice?.contains("first of its group") == true)
    await browser.press("end", "J")
    #expect(form(browser)?.notice?.contains("Only conditions") == true)
  }

  @Test func theScreenAt200x60() async throws {
    let browser = try await browsing(
      "NOT name IN {\"Ann\", NULL} AND salary BETWEEN {1, 3000}",
      size: Size(columns: 200, rows: 60))
    await browser.press("W")
    browser.expect(
      browser.picture.suffix(9).dropLast().map { FilterFormTests.trimmed($0.prefix(60)) },
      """
      ┏━ Employee where ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      ┃   ALL of these hold
      ┃ >   NOT name IN "Ann", NULL +
      ┃     salary BETWEEN 1, 3000
      ┃   [ Show these rows ]
      ┃ NOT name IN {"Ann", NULL} AND salary BETWEEN {1, 3000}
      ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
      """)
  }

  @Test func inASCII() async throws {
    let browser = try await browsing("company == 1 OR name == \"x\"", glyphs: .ascii)
    await browser.press("W")
    let picture = browser.picture.joined(separator: "\n")
    #expect(picture.contains("company == -> Acme"))
    #expect(picture.unicodeScalars.allSatisfy { $0.isASCII })
    await browser.press("enter")
    #expect(browser.picture.joined().unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test func aConditionIsBuiltByKeys() async throws {
    let browser = try await browsing()
    await browser.press("W", "a", "enter")
    await browser.type("salary")
    await browser.press("enter", "enter")
    await browser.type("at least")
    #expect(browser.picture.joined().contains("Nothing matches."))
    await browser.press("ctrl-u")
    await browser.type(">=")
    await browser.press("enter", "tab", "enter")
    await browser.type("2800.5")
    await browser.press("enter")
    #expect(text(browser) == "salary >= 2800.5")
    #expect(browser.picture[22].contains("3 of 5"))
    await browser.press("w")
    #expect(browser.status.contains("where salary >= 2800.5"))
    #expect(browser.status.contains("3 rows"))
  }

  @Test func groupsAndNegationAndOptions() async throws {
    let browser = try await browsing("name == \"ann\" AND salary > 1")
    await browser.press("W", "c", "n")
    #expect(text(browser) == "NOT name ==[c] \"ann\" AND salary > 1")
    await browser.press("down", "]", "A")
    #expect(form(browser)?.lines.count == 7)
    // The new row of the new group has no value yet.
    #expect(text(browser) == "NOT name ==[c] \"ann\" AND salary > 1")
    await browser.press("w")
    #expect(browser.picture.joined().contains("This condition has no value yet"))
    await browser.press("d")
    #expect(form(browser)?.lines.count == 5)
    await browser.press("home", "space")
    #expect(text(browser) == "NOT name ==[c] \"ann\" OR salary > 1")
    await browser.press("enter", "down", "enter")
    #expect(text(browser) == "NOT (NOT name ==[c] \"ann\" OR salary > 1)")
  }

  @Test func bothFacesAreOneCondition() async throws {
    let browser = try await browsing()
    await browser.press("w")
    await browser.type("salary > 2900")
    await browser.press("ctrl-t")
    #expect(form(browser)?.predicate?.description == "salary > 2900")
    await browser.press("tab", "tab", "enter", "ctrl-u")
    await browser.type("3050\n")
    await browser.press("ctrl-t")
    let filter = browser.browser.state.overlay(as: FilterState.self)
    #expect(filter?.line.field.text == "salary > 3050")
    // A text that is wrong stays the text.
    await browser.type(" AND")
    await browser.press("ctrl-t")
    #expect(browser.browser.state.overlay(as: FilterState.self)?.face == .text)
    await browser.press("esc", "W", "esc")
    #expect(browser.browser.state.table?.query.filter == nil)
  }

  @Test func objectsArePickedFromTheStore() async throws {
    let browser = try await browsing()
    await browser.press("W", "a", "enter")
    await browser.type("company")
    await browser.press("enter", "tab", "enter")
    await browser.type("bo")
    #expect(browser.picture.joined(separator: "\n").contains("> Borg"))
    await browser.press("enter")
    #expect(text(browser) == "company == 2")
    #expect(browser.picture.joined(separator: "\n").contains("company == → Borg"))
    await browser.press("w")
    #expect(browser.status.contains("1 row "))
  }

  @Test func listsAndBoundsAndPathsThroughMany() async throws {
    let browser = try await browsing("name == \"Ann\"")
    await browser.press("W", "tab", "enter")
    await browser.type("is one of")
    await browser.press("ctrl-u")
    await browser.type("IN")
    await browser.press("enter", "tab", "tab", "enter")
    await browser.type("Bob")
    await browser.press("enter", "enter")
    await browser.type("C")
    await browser.press("down", "enter")
    #expect(text(browser) == "name IN {\"Ann\", \"Bob\", \"Cid\"}")
    await browser.press("shift-tab", "shift-tab", "backspace")
    #expect(text(browser) == "name IN {\"Ann\", \"Cid\"}")
    await browser.press("a", "enter")
    await browser.type("Task.title")
    await browser.press("enter", "tab", "enter")
    await browser.type("Plan\n")
    #expect(text(browser) == "name IN {\"Ann\", \"Cid\"} AND ANY Task.title == \"Plan\"")
    await browser.press("shift-tab", "shift-tab", "shift-tab", "space", "space")
    #expect(text(browser)?.hasSuffix("NONE Task.title == \"Plan\"") == true)
    await browser.press("w")
    #expect(browser.table[1].contains("Cid"))
  }

  @Test func faultsOfValuesAreSentences() async throws {
    let browser = try await browsing("Task.@count > 1")
    await browser.press("W", "tab", "tab", "enter", "ctrl-u")
    await browser.type("many\n")
    #expect(browser.picture.joined().contains("Type a number; “many” is not one."))
    await browser.press("esc", "N")
    #expect(browser.picture.joined().contains("NULL can only be compared"))
    await browser.press("esc")
  }
}
