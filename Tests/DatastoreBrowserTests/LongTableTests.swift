import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// A table that is read in windows shows the same as one that is read as a whole.
@MainActor
@Suite struct LongTableTests {
  /// Keys with gaps; values that come many times or are missing.
  private func file() throws -> TemporaryFile {
    try TemporaryFile(
      """
      CREATE TABLE Big (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, note TEXT);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
      INSERT INTO Big SELECT i * 3, CASE WHEN i % 11 > 0 THEN 'row ' || ((i * 7919) % 30011) END,
        'kind ' || (i % 5), 'note ' || i FROM n;
      CREATE INDEX big_name ON Big (name);
      CREATE INDEX big_kind ON Big (kind);
      """, name: "big.sqlite")
  }

  private func browsers(
    grouped path: [String]? = nil, by order: [SortDescriptor] = []
  ) async throws -> [BrowserDriver] {
    var browsers: [BrowserDriver] = []
    for most in [nil, 400] {
      browsers.append(
        try await BrowserDriver(file()) { _ in
          var options = BrowserOptions(entity: "Big", groupBy: path, order: order)
          options.mostKeys = most
          return options
        })
    }
    let isRead = browsers.map { $0.browser.state.table?.list.keys.isRead }
    #expect(isRead == [true, false])
    return browsers
  }

  /// Presses a key in both, and compares the screens.
  @discardableResult
  private func press(
    _ key: String, in browsers: [BrowserDriver], sourceLocation: SourceLocation = #_sourceLocation
  ) async -> Bool {
    for browser in browsers {
      if key.count > 1, key.hasPrefix("#") {
        await browser.press("#")
        await browser.type(String(key.dropFirst()))
        await browser.press("enter")
      } else {
        await browser.press(key)
      }
    }
    let pictures = browsers.map { $0.picture.joined(separator: "\n") }
    let areEqual = pictures[0] == pictures[1]
    #expect(
      areEqual, "after \(key):\n\(pictures[0])\n\(pictures[1])", sourceLocation: sourceLocation)
    return areEqual
  }

  @Test func anyWayThroughATableShowsTheSameRows() async throws {
    let orders: [([String]?, [SortDescriptor])] = [
      (nil, []), (nil, [SortDescriptor(["name"], ascending: false)]),
      (["kind"], [SortDescriptor(["name"])]),
    ]
    for (round, (path, order)) in orders.enumerated() {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let browsers = try await browsers(grouped: path, by: order)
      let keys = [
        "end", "home", "pgdn", "pgdn", "pgup", "up", "down", "down", "]", "[", "z", "#50%",
        "#31000",
        "#-20000", "#12345", "Z",
      ]
      for _ in 0..<60 {
        await press(keys[random.below(keys.count)], in: browsers)
      }
    }
  }

  @Test func whatIsFarAwayIsEditedSavedAndDeleted() async throws {
    let browsers = try await browsers()
    await press("end", in: browsers)
    await press("right", in: browsers)
    for browser in browsers {
      await browser.press("e", "ctrl-u")
      await browser.type("changed")
    }
    await press("enter", in: browsers)
    await press("pgup", in: browsers)
    for browser in browsers { await browser.press("D") }
    await press("y", in: browsers)
    await press("home", in: browsers)
    await press("#-5", in: browsers)
    for browser in browsers { await browser.press("ctrl-s") }
    await press("up", in: browsers)
    let changed = CountQuestion(
      FetchRequest(
        entity: "Big",
        predicate: .comparison(.init(.keyPath(["name"]), .equal, .value("changed")))))
    for browser in browsers {
      let count = try await browser.datastore.sharedViewContext.answer(changed)
      #expect(count == 1)
    }
    #expect(browsers.allSatisfy { $0.status.contains("49,999 rows") })
    await press("#25000", in: browsers)
  }

  /// In the order of keys staged edits move nothing in either.
  @Test(arguments: 0..<3)
  func anyEditsShowTheSameRows(round: Int) async throws {
    var random = SeededRandom(seed: RandomCases.seed(round))
    let browsers = try await browsers()
    let steps: [[String]] = [
      ["end"], ["home"], ["pgdn"], ["pgup"], ["up"], ["down"], ["#31000"], ["#-20000"], ["#25000"],
      ["right", "e", "ctrl-u", "x", "enter", "left"], ["right", "e", "7", "enter", "left"],
      ["D", "y"], ["space", "down", "space", "D", "y"], ["a", "n", "e", "w", "ctrl-s"], ["esc"],
      ["u"], ["u", "u"], ["U"], ["ctrl-s"], ["ctrl-r", "y"], ["c", "esc"], ["2"], ["1"],
    ]
    var pressed: [String] = []
    var hasSaved = false
    for step in (0..<40).map({ _ in steps[random.below(steps.count)] }) + [["esc"], ["ctrl-s"]] {
      // A row that replaces one whose deletion was saved is new: a long list has it at the end.
      if hasSaved, step.contains(where: { $0.lowercased() == "u" }) { continue }
      hasSaved = hasSaved || step == ["ctrl-s"]
      for key in step {
        pressed.append(key)
        try #require(await press(key, in: browsers), "\(pressed), seed \(random.seed)")
      }
    }
    var saved: [[Value]] = []
    for browser in browsers {
      let rows = FetchRequest(entity: "Big", sortDescriptors: [SortDescriptor([])])
      let question = ValuesQuestion(of: [[], ["name"]], in: rows)
      saved.append(try await browser.datastore.sharedViewContext.answer(question).flatMap { $0 })
    }
    let areEqual = saved[0] == saved[1]
    #expect(areEqual, "seed \(random.seed)")
  }

  @Test func whatIsFarAwayIsFoundAndSelected() async throws {
    let browsers = try await browsers()
    for browser in browsers {
      await browser.press("/")
      await browser.type("note 44321")
      await browser.press("enter")
      #expect(browser.browser.state.table?.currentKey == RowKey(44_321 * 3))
    }
    for browser in browsers { await browser.press("down", "space", "space") }
    #expect(browsers.allSatisfy { $0.status.contains("2 selected") })
  }

  @Test func rowsOfOthersComeAndGo() async throws {
    let browsers = try await browsers()
    await press("#30000", in: browsers)
    for browser in browsers {
      try await browser.datastore.write { context in
        for number in 0..<3 {
          let object = try context.createObject(entityName: "Big")
          object["name"] = .text("new \(number)")
        }
        let gone: [DynamicObject] = try context.fetch(
          FetchRequest(
            entity: "Big",
            predicate: .comparison(.init(.keyPath([]), .lessThan, .value(.key(100))))))
        for object in gone { context.deleteObject(object) }
      }
      await browser.browser.idle()
    }
    await press("down", in: browsers)
    await press("end", in: browsers)
    #expect(browsers[1].table.contains { $0.contains("new 2") })
  }
}
