import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// The mouse, and several lists on one screen.
@MainActor
@Suite struct MovingTests {
  private func start(
    _ view: any TerminalView, columns: Int = 40, rows: Int = 10
  ) async throws -> (TerminalApplication, MemoryTerminal) {
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: columns, rows: rows))
    try application.start(on: terminal)
    await application.settled()
    return (application, terminal)
  }

  private func mouse(_ action: MouseEvent.Action, row: Int, column: Int = 3) -> InputEvent {
    .mouse(MouseEvent(action, at: Position(column: column, row: row)))
  }

  @Test func clicksAndTheWheel() async throws {
    let people = try await People((10..<60).map { "\($0 < 13 ? "A" : "B")\($0)" })
    let view = PeopleView(people)
    let (application, terminal) = try await start(view)
    // The border, the title of the section, and the first three.
    terminal.send(mouse(.press(.left, clicks: 1), row: 3))
    #expect(view.$people.selected?.$name == "A11")
    terminal.send(mouse(.press(.left, clicks: 1), row: 5))
    #expect(view.$people.selected?.$name == "B13", "a title selects the first below it")
    terminal.send(mouse(.press(.right, clicks: 1), row: 3))
    #expect(view.$people.selected?.$name == "B13")
    terminal.send(mouse(.wheelDown, row: 3))
    #expect(terminal.picture[1].hasPrefix("┃A12") && view.$people.selected?.$name == "B13")
    for _ in 0..<40 { terminal.send(mouse(.wheelDown, row: 3)) }
    #expect(terminal.picture[7].hasPrefix("┃B59") && view.$people.selected?.$name == "B53")
    terminal.send(mouse(.wheelUp, row: 3))
    #expect(terminal.picture[7].hasPrefix("┃B56"))
    application.quit()
  }

  @Test func theWheelOverOneRow() async throws {
    let people = try await People(["A", "B", "C"])
    let view = PeopleView(people)
    let (application, terminal) = try await start(view, columns: 20, rows: 2)
    for _ in 0..<5 { terminal.send(mouse(.wheelDown, row: 0)) }
    terminal.resize(to: Size(columns: 20, rows: 1))
    terminal.resize(to: Size(columns: 0, rows: 0))
    terminal.send(mouse(.wheelUp, row: 0))
    terminal.press("up", "pgdn", "end", "home")
    terminal.resize(to: Size(columns: 40, rows: 10))
    #expect(view.$people.selected?.$name == "A" && terminal.picture[1].hasPrefix("┃A"))
    application.quit()
  }

  private final class TwoLists: TerminalView {
    @ListState var first: ListSnapshot<Person>
    @ListState var second: ListSnapshot<Person>
    var heard = 0

    init(_ people: People) {
      _first = ListState(people.view, People.plain)
      _second = ListState(people.view, From<Person>().orderBy(.desc(\.$name)))
    }

    var body: [any Widget] {
      Columns {
        Table($first, title: "First", columns: [TableColumn { $0.$name }])
        Table($second, title: "Second", columns: [TableColumn { $0.$name }])
      }
    }

    var commands: [Command] {
      [Command("h", label: "hear") { [self] _ in heard += 1 }]
    }
  }

  @Test func keysGoToOneOfSeveralLists() async throws {
    let people = try await People(["A", "B", "C"])
    let view = TwoLists(people)
    let (application, terminal) = try await start(view)
    #expect(
      terminal.picture[0].hasPrefix("┏━ First ━") && terminal.picture[0].contains("┌─ Second"))
    terminal.press("down")
    #expect(view.$first.selected?.$name == "B" && view.$second.selected?.$name == "C")
    terminal.press("tab", "end")
    #expect(
      terminal.picture[0].hasPrefix("┌─ First ─") && terminal.picture[0].contains("┏━ Second"))
    #expect(view.$first.selected?.$name == "B" && view.$second.selected?.$name == "A")
    terminal.press("tab", "down")
    #expect(view.$first.selected?.$name == "C")
    terminal.send(mouse(.press(.left, clicks: 1), row: 2, column: 25))
    #expect(view.$second.selected?.$name == "B" && terminal.picture[0].contains("┏━ Second"))
    // The foot of the screen is pressed, too.
    terminal.send(mouse(.press(.left, clicks: 1), row: 9, column: 2))
    await application.settled()
    #expect(view.heard == 1)
    // Without room for the second, keys go to the first.
    terminal.resize(to: Size(columns: 30, rows: 10))
    #expect(terminal.picture[0].hasPrefix("┏━ First ━"))
    terminal.press("up")
    #expect(view.$first.selected?.$name == "B" && view.$second.selected?.$name == "B")
    application.quit()
  }
}
