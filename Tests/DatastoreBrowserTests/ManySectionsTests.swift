import DatastoreCore
import DatastoreTestSupport
import Foundation
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// As many sections as rows: nothing that a key does looks at all of them.
@MainActor
@Suite struct ManySectionsTests {
  private func grouped(_ rows: Int) async throws -> BrowserDriver {
    let browser = try await BrowserDriver(.large(rows)) { _ in BrowserOptions(groupBy: ["name"]) }
    #expect(browser.status.contains(",000 sections"))
    return browser
  }

  @Test func theListHoldsThoseAroundTheCursor() async throws {
    let browser = try await grouped(20_000)
    func list() throws -> PickList<Int> {
      try #require(browser.browser.state.overlay(as: SectionsScreen.self)).list
    }
    await browser.press("'")
    #expect(try list().matches.count <= 1001)
    #expect(try list().current?.text == "row 1")
    await browser.press("up")
    #expect(try list().current?.id == 0)
    for _ in 0..<60 { await browser.press("pgdn") }
    let height = PickList<Int>.height(
      in: try #require(browser.browser.state.overlay(as: SectionsScreen.self))
        .body(in: browser.browser.state.size))
    #expect(try list().current?.id == 60 * (height - 1))
    // What is typed is looked for among all of them.
    await browser.type("17770")
    #expect(try list().matches.map(\.text) == ["row 17770"])
    await browser.press("enter")
    #expect(browser.table.contains { $0.hasPrefix("> ▾ row 17770") })
  }

  /// A key only asks for what was typed; what is shown stays until the first ones are found.
  @Test func whatIsTypedIsLookedForMeanwhile() async throws {
    let browser = try await grouped(50_000)
    await browser.press("'")
    var state = browser.browser.state
    func list() throws -> PickList<Int> {
      try #require(state.overlay(as: SectionsScreen.self)).list
    }
    let before = try list().matches
    _ = state.update(UserInput(.key("7")))
    let effects = state.update(UserInput(.key("7")))
    #expect(try list().matches == before)
    #expect(effects.map(\.name) == ["findSections"])
    let found = await answers(to: effects, over: browser.datastore)
      .compactMap { $0 as? SectionsFound }
    #expect(found.map(\.isComplete) == [false, true])
    let last = try #require(found.last)
    #expect(try #require(found.first).sections.count < last.sections.count)
    // Words that were typed meanwhile are not answered by this.
    _ = state.update(UserInput(.key("9")))
    _ = state.update(last)
    #expect(try list().matches == before)
    await browser.type("49999")
    #expect(
      try #require(browser.browser.state.overlay(as: SectionsScreen.self)).list.matches.map(\.text)
        == ["row 49999"])
    await browser.press("ctrl-u")
    await browser.type("ROW  123 ")
    browser.expectShown("row 123")
    await browser.press("ctrl-u")
    await browser.type("nothing like it")
    browser.expectShown("Nothing matches.")
    await browser.press("ctrl-u")
    browser.expectShown("row 1")
  }

  @Test func allAreFoldedAndOneIsOpened() async throws {
    let browser = try await grouped(5_000)
    await browser.press("Z")
    #expect(browser.browser.state.table?.lines.count == 5_000)
    await browser.press("down", "z")
    #expect(browser.browser.state.table?.lines.count == 5_001)
    await browser.press("z", "Z")
    #expect(browser.browser.state.table?.lines.count == 10_000)
  }

  @Test func foldsAgreeWithASet() {
    var folds = SectionFolds()
    var model: Set<Value> = []
    let all = (0..<20).map { Value.integer($0) }
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<500 {
      if Int.random(in: 0..<10, using: &random) == 0 {
        let areAllFolded = Bool.random(using: &random)
        folds = SectionFolds(areAllFolded: areAllFolded)
        model = areAllFolded ? Set(all) : []
      } else if let one = all.randomElement(using: &random) {
        folds.toggle(one)
        if model.remove(one) == nil { model.insert(one) }
      }
      #expect(all.filter(folds.contains) == all.filter(model.contains))
    }
  }

  @Test func sectionsByARelationshipFollowTheOrderOfItsNames() async throws {
    let file = try TemporaryFile.company()
    try file.execute(
      "INSERT INTO Company VALUES (3, 'Aaa', 2000); UPDATE Employee SET company_id = 3 WHERE id = 5"
    )
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    func sections() -> [String] {
      browser.table.compactMap { line in
        line.range(of: "▾ ").map { String(line[$0.upperBound...].prefix { $0 != " " }) }
      }
    }
    await browser.press("$", "gb", "s")
    #expect(sections() == ["∅", "Aaa", "Acme", "Borg"])
    await browser.press("s")
    #expect(sections() == ["Borg", "Acme", "Aaa", "∅"])
    // What is changed meanwhile gets into its place.
    try file.execute("UPDATE Company SET name = 'Zzz' WHERE id = 3")
    await browser.browser.checkForExternalChanges()
    await browser.press("r")
    #expect(sections() == ["Aaa", "Borg", "Acme", "∅"].map { $0 == "Aaa" ? "Zzz" : $0 })
  }
}
