import DatastoreCore
import DatastoreTestSupport
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The first picture, and the pictures before everything has been read.
@MainActor
@Suite struct FirstPictureTests {
  private func drawn(_ state: BrowserState) -> [String] {
    var buffer = ScreenBuffer(size: state.size)
    _ = state.draw(into: &buffer)
    return buffer.picture
  }

  private func rows(_ keys: ClosedRange<Int64>, in state: BrowserState) -> [RowSnapshot] {
    let columns = state.table?.columns ?? []
    return keys.map { key in
      RowSnapshot(
        key: RowKey(key),
        cells: columns.map { column in
          column.cell(column.name == "id" ? .integer(key) : .text("\(column.name) \(key)"))
        })
    }
  }

  @Test func aPageDownIsDrawnWithItsRowsWithinTheKeyPress() async throws {
    let browser = try await BrowserDriver(.large(1000))
    // The first only goes to the end of the screen.
    await browser.press("pgdn")
    for page in 1...6 {
      let before = browser.terminal.drawCount
      browser.terminal.press("pgdn")
      // Nothing else has run: the rows were there.
      #expect(browser.terminal.drawCount == before + 1)
      let first = browser.browser.state.table?.scroll.first ?? 0
      #expect(first > 0)
      #expect(browser.table[1].contains("row \(first + 1)"), "page \(page): \(browser.table)")
      #expect(browser.table[9].contains("row \(first + 9)"), "page \(page): \(browser.table)")
      await browser.browser.idle()
    }
  }

  @Test func rowsThatAreReadAheadAreNotDrawn() async throws {
    let browser = try await BrowserDriver(.large(1000))
    let state = browser.browser.state
    let fetch = try #require(state.table?.fetch)
    let columns = try #require(state.table?.columns)
    #expect(
      ListEvent.rowsLoaded(fetch: fetch, asked: [], rows(1...3, in: state), of: columns).isSeen(
        in: state))
    #expect(
      !ListEvent.rowsLoaded(fetch: fetch, asked: [], rows(200...300, in: state), of: columns)
        .isSeen(in: state))
    #expect(
      !ListEvent.rowsLoaded(fetch: fetch - 1, asked: [], rows(1...3, in: state), of: columns)
        .isSeen(in: state))
  }

  @Test func columnsDoNotMoveForRowsThatAreReadAhead() async throws {
    let browser = try await BrowserDriver(.large(1000))
    var state = browser.browser.state
    let fetch = try #require(state.table?.fetch)
    let before = drawn(state)
    var wide = rows(500...501, in: state)
    wide[0] = RowSnapshot(
      key: 500, cells: wide[0].cells.map { _ in CellContent("as wide as can be", role: .string) })
    _ = state.update(
      ListEvent.rowsLoaded(fetch: fetch, asked: [500, 501], wide, of: state.table?.columns ?? []))
    #expect(drawn(state) == before)
    // They do when the row comes to the screen.
    _ = state.update(UserInput(.key("#")))
    for key in ["5", "0", "0", "enter"] {
      _ = state.update(UserInput(.key(Key(stringLiteral: key))))
    }
    #expect(drawn(state).joined().contains("as wide as can be"))
  }

  @Test func aSortShowsItsFirstRowsBeforeTheListIsComplete() async throws {
    let browser = try await BrowserDriver(.large(1000))
    var state = browser.browser.state
    let effects = state.update(UserInput(.key("s")))
    let fetch = try #require(state.table?.fetch)
    let read = await answers(to: effects, over: browser.datastore)
    #expect(
      read.contains {
        if case ListEvent.read(fetch: fetch, _, _) = $0 { true } else { false }
      })
    // The first rows have come; the rest has not.
    let first = KeyList(
      keys: [RowKey](801...1000).reversed(), sections: [.init(value: .null, count: 200)])
    let wanted = state.update(ListEvent.read(fetch: fetch, first, isComplete: false))
    let asked = await answers(to: wanted, over: browser.datastore).compactMap { event in
      if case ListEvent.rowsLoaded(_, let keys, _, _) = event { keys } else { nil }
    }
    let keys = try #require(asked.first)
    #expect(keys.prefix(3) == [1000, 999, 998])
    _ = state.update(
      ListEvent.rowsLoaded(
        fetch: fetch, asked: keys, rows(801...1000, in: state), of: state.table?.columns ?? []))
    let picture = drawn(state)
    #expect(picture[2].contains("name 1000"))
    #expect(picture.joined().contains("first 200 rows, reading…"))
    // The whole list keeps the place.
    let whole = KeyList(
      keys: [RowKey](1...1000).reversed(), sections: [.init(value: .null, count: 1000)])
    _ = state.update(ListEvent.read(fetch: fetch, whole, isComplete: true))
    #expect(drawn(state)[2].contains("name 1000"))
    #expect(drawn(state).joined().contains("1,000 rows"))
  }

  @Test func sectionsAreCountedBeforeTheListIsComplete() async throws {
    let browser = try await BrowserDriver(.large(1000))
    var state = browser.browser.state
    for key in ["right", "right", "g", "b"] {
      _ = state.update(UserInput(.key(Key(stringLiteral: key))))
    }
    let fetch = try #require(state.table?.fetch)
    #expect(state.table?.query.groupBy == ["kind"])
    let first = KeyList(
      keys: stride(from: 3, through: 600, by: 3).map { RowKey($0) },
      sections: [.init(value: .text("kind 0"), count: 200)])
    _ = state.update(ListEvent.read(fetch: fetch, first, isComplete: false))
    #expect(drawn(state).joined().contains("kind 0 (200+)"))
    let sections = [333, 334, 333].enumerated().map {
      KeyList.Section(value: .text("kind \($0)"), count: $1)
    }
    // Of an older fetch, and of this one.
    _ = state.update(ListEvent.sectionsCounted(fetch: fetch - 1, Array(sections.prefix(1))))
    #expect(state.table?.sectionCount == nil)
    _ = state.update(ListEvent.sectionsCounted(fetch: fetch, sections))
    let picture = drawn(state).joined(separator: "\n")
    #expect(picture.contains("kind 0 (333)"))
    #expect(picture.contains("1,000 rows, reading…"))
    #expect(picture.contains("3 sections"))
    // Another command ends the wait; the count is discarded.
    for key in ["g", "b"] { _ = state.update(UserInput(.key(Key(stringLiteral: key)))) }
    #expect(state.table?.expected == nil)
  }

  @Test func sectionsThatAreStillToComeAreReachedWhenTheyAreThere() async throws {
    let browser = try await BrowserDriver(.large(1000))
    var state = browser.browser.state
    func press(_ keys: Key...) { for key in keys { _ = state.update(UserInput(.key(key))) } }
    press("right", "right", "g", "b")
    let fetch = try #require(state.table?.fetch)
    let kinds = (0..<3).map { kind in (1...1000).filter { $0 % 3 == kind }.map { RowKey($0) } }
    let all = KeyList(
      keys: Array(kinds.joined()),
      sections: kinds.enumerated().map { .init(value: .text("kind \($0)"), count: $1.count) })
    let first = KeyList(
      keys: Array(all.keys.prefix(200)), sections: [.init(value: .text("kind 0"), count: 200)])
    _ = state.update(ListEvent.read(fetch: fetch, first, isComplete: false))
    press("]")
    #expect(drawn(state).joined().contains("the cursor goes to section 2 as soon as it is read"))
    press("]", "]", "[")
    _ = state.update(ListEvent.sectionsCounted(fetch: fetch, all.sections))
    // There are no more than three.
    press("]", "]", "]", "]")
    #expect(drawn(state).joined().contains("goes to section 3"))
    press("[")
    var moved = state
    _ = state.update(ListEvent.read(fetch: fetch, all, isComplete: true))
    #expect(state.table?.currentLine == .header(section: 1))
    #expect(state.table?.wantedSection == nil)
    // A cursor that moves in the meantime stays there.
    _ = moved.update(UserInput(.key("down")))
    _ = moved.update(ListEvent.read(fetch: fetch, all, isComplete: true))
    #expect(moved.table?.currentLine != .header(section: 1))
  }

  @Test func theBrowserCountsSectionsAsTheListHasThem() async throws {
    let browser = try await BrowserDriver(.large(1000))
    await browser.press("right", "right", "g", "b")
    #expect(browser.status.contains("3 sections"))
    #expect(browser.table[1].contains("kind 0 (333)"))
    let list = try #require(browser.browser.state.table?.list)
    let counted = try await browser.browser.countedSections()
    #expect(counted == list.sections)
  }
}

extension Browser {
  /// The sections that the present list would get.
  fileprivate func countedSections() async throws -> [KeyList.Section]? {
    try await runner.list?.controller.countSections()
  }
}
