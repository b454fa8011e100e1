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

  // Promise: a table has more sections than a screen of seconds → their table is there with the first ones,
  // and is filled meanwhile; each leads to its section.
  @Test func allSectionsAreATable() async throws {
    let browser = try await grouped(20_000)
    await browser.press("]", "]")
    let section = try #require(browser.table.first { $0.hasPrefix("> ▾ ") })
    let name = section.dropFirst(4).prefix { $0 != "(" }
    await browser.press("'")
    #expect(browser.browser.state.table?.list.keys.count == 20_000)
    #expect(browser.browser.state.derivedTable?.phase == .whole)
    #expect(browser.browser.state.derivedTable?.rows == 20_000)
    #expect(browser.table.contains { $0.hasPrefix("> \(name)") })
    await browser.press("w")
    await browser.type("name CONTAINS \"7777\"")
    await browser.press("enter")
    #expect(browser.cells.map { $0[0] }.sorted() == ["row 17777", "row 7777"])
    await browser.press("home", "enter")
    #expect(browser.browser.levels.count == 1)
    #expect(
      browser.table.contains { $0.hasPrefix("> ▾ row 17777") || $0.hasPrefix("> ▾ row 7777") })
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
    // A row that changes meanwhile moves to its place.
    try file.execute("UPDATE Company SET name = 'Zzz' WHERE id = 3")
    await browser.browser.checkForExternalChanges()
    await browser.press("r")
    #expect(sections() == ["Aaa", "Borg", "Acme", "∅"].map { $0 == "Aaa" ? "Zzz" : $0 })
  }
}
