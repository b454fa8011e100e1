import DatastoreCore
import TerminalUI
import Testing

@testable import DatastoreBrowser

// Promise: a terminal becomes any size, also under dialogs and editors → everything draws itself, nothing
// traps.
// Also: `TerminalFaultTests.resizedToAnything`
/// The browser on terminals of any size.
@MainActor
@Suite struct ScreenSizeTests {
  nonisolated static let sizes = [
    (20, 5), (30, 8), (40, 12), (60, 20), (80, 24), (120, 40), (200, 60), (300, 100),
  ].map { Size(columns: $0, rows: $1) }

  /// The parts of the screen at each size, as `ScreenPart` names them.
  private static let parts: [String: [ScreenPart]] = [
    "20x5": [.columnNames, .status],
    "30x8": [.frames, .columnNames, .status],
    "40x12": [.toolbar, .footer, .frames, .columnNames, .status],
    "60x20": [.entities, .details, .toolbar, .footer, .frames, .columnNames, .status],
    "80x24": [.entities, .details, .toolbar, .footer, .frames, .columnNames, .status],
    "120x40": [.entities, .details, .toolbar, .footer, .frames, .columnNames, .status],
  ]

  private func employees(_ size: Size) async throws -> BrowserDriver {
    try await BrowserDriver(.company(), size: size) { _ in BrowserOptions(entity: "Employee") }
  }

  // Promise: a table has more columns than the screen → three fifths of the width are the table's, text
  // before identifiers, at eight sizes.
  // Also: `WideTableTests.asManyColumnsAsThereIsRoomFor`
  @Test(arguments: sizes) func theTableComesFirst(_ size: Size) async throws {
    let browser = try await employees(size)
    let layout = browser.browser.state.layout
    #expect(
      ScreenPart.allCases.filter { $0.fits(size) } == Self.parts["\(size)"] ?? ScreenPart.allCases)
    #expect(layout.tableBody.rows >= min(3, size.rows - 1))
    #expect(layout.table.columns >= min(size.columns, 40))
    #expect(layout.table.columns * 5 >= size.columns * 3)
    #expect(layout.entities.isEmpty == (size.columns < 60))
    #expect(layout.detail.isEmpty == (size.rows < 17 && size.columns < 150))
    #expect(browser.table[0].contains("name"))
    #expect(browser.table[1].hasPrefix(">"))
    #expect(browser.picture.contains { $0.contains("Employee") })
    await browser.press("s")
    #expect(browser.picture.joined().contains("▲"))
  }

  @Test func thePictureOfASplit() async throws {
    let browser = try await employees(Size(columns: 40, rows: 12))
    browser.expect(browser.picture, Self.split)
    await browser.resize(20, 5)
    browser.expect(browser.picture, Self.smallest)
    await browser.resize(80, 24)
    let whole = browser.picture
    await browser.resize(1, 1)
    await browser.resize(0, 0)
    await browser.resize(80, 24)
    #expect(browser.picture == whole)
  }

  private static let split = """
    ┏━ Employee ━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
    ┃  id  name    position      salary    ┃
    ┃   1  Ann     developer     3000.0    ┃
    ┃   2  Bob     designer      2800.5    ┃
    ┃   3  Cid     developer     3100.0    ┃
    ┃   4  Dora    ∅                  ∅    ┃
    ┃   5  ‘’      tester        2500.0    ┃
    ┃                                      ┃
    ┃                                      ┃
    ┃                                      ┃
     Employee · 5 rows               1 of 5
    enter details  e edit  a new  s sort
    """
  private static let smallest = """
       id  name    pos…
        1  Ann     dev…█
        2  Bob     des…│
        3  Cid     dev…│
     Employee · 5 rows
    """

  @Test func aPanelWithoutRoomHasTheScreenWhileItHasTheFocus() async throws {
    let browser = try await employees(Size(columns: 40, rows: 12))
    await browser.press("shift-tab")
    #expect(browser.entities.contains { $0.hasPrefix("Employee") })
    #expect(browser.browser.state.layout.table.isEmpty)
    await browser.press("enter")
    #expect(browser.table[1].contains("Ann"))
    await browser.press("enter")
    #expect(browser.detail.contains { $0.contains("salary") })
    await browser.press("shift-tab")
    #expect(browser.table[1].contains("Ann"))
  }

  @Test func editingAndSavingAt20x5() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file, size: Size(columns: 20, rows: 5)) { _ in
      BrowserOptions(entity: "Employee")
    }
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Zoe")
    await browser.press("enter")
    #expect(browser.status.contains("1 changed") || browser.picture.joined().contains("1 changed"))
    await browser.press("q")
    // A question is read and answered.
    #expect(browser.hasOverlay)
    #expect(!browser.picture.joined().trimmingPrefix(while: { $0 == " " }).isEmpty)
    await browser.press("esc", "ctrl-s")
    #expect(try file.value("name", from: "Employee", id: 1) == "'Zoe'")
  }

  /// Every screen, editor and question is open while the terminal becomes any size, and draws itself.
  @Test func everythingThatCanBeOpenedFitsItselfIntoAnySize() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("right", "e")
    await browser.type("x")
    await browser.press("enter")
    let commands = CommandTable.standard.all.filter {
      !$0.scopes.isDisjoint(with: CommandScope.panels) && $0.name != "suspend"
    }
    var opened: Set<String> = []
    for command in commands {
      for key in ["home", "$"] {
        var state = browser.browser.state
        _ = state.update(UserInput(.key(Key(stringLiteral: key))))
        state.perform(command)
        guard let overlay = state.overlays.last else { continue }
        let isNew = opened.insert(String(describing: type(of: overlay))).inserted
        // In the last column, only keys with another effect there.
        guard key == "home" || isNew else { continue }
        for size in Self.odd + Self.sizes.prefix(2) {
          _ = state.update(UserInput(.resize(size)))
          for key in ["down", "pgdn", "a", "backspace"] {
            _ = state.update(UserInput(.key(Key(stringLiteral: key))))
            var buffer = ScreenBuffer(size: size)
            if let cursor = state.draw(into: &buffer), !buffer.bounds.isEmpty {
              #expect(buffer.bounds.contains(cursor), "\(command.name) at \(size)")
            }
          }
        }
      }
    }
    #expect(opened.count >= 12, "\(opened.sorted())")
  }

  private static let odd = [
    (0, 0), (1, 1), (2, 1), (1, 2), (3, 3), (5, 2), (2, 9), (10, 4), (500, 1), (1, 200),
  ].map { Size(columns: $0, rows: $1) }
}
