import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// States, readers and repeated widgets.
@MainActor
@Suite struct ReaderTests {
  private final class View: TerminalView {
    @ListState var people: ListSnapshot<Person>
    @ObjectState var first: ObjectSnapshot<Person>?
    var content: @MainActor (View) -> [any Widget] = { _ in [] }

    init(_ people: People) { _people = ListState(people.view, People.inSections) }

    var body: [any Widget] { content(self) }
  }

  private func picture(
    _ people: People, rows: Int = 8,
    @WidgetBuilder _ content: @escaping @MainActor (View) -> [any Widget]
  ) async -> [String] {
    let view = View(people)
    view.content = content
    let picture = await TerminalApplication(view).picture(columns: 40, rows: rows)
    return Array(picture.dropLast().reversed().drop { $0.isEmpty }.reversed())
  }

  @Test func aPlaceholderUntilTheListIsRead() async throws {
    let people = try await People(["A", "B"])
    let view = View(people)
    view.content = { view in
      [
        ListReader(view.$people) { list in
          Line("\(list.count) people")
        } placeholder: {
          Line("Reading…")
        }
      ]
    }
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 4))
    try application.start(on: terminal)
    #expect(terminal.picture[0] == "Reading…")
    await application.settled()
    #expect(terminal.picture[0] == "2 people")
    try await people.add(["C"])
    await application.settled()
    #expect(terminal.picture[0] == "3 people")
    application.quit()
  }

  @Test func anObjectAndWhatComesOfIt() async throws {
    let people = try await People(["A", "B"])
    let view = View(people)
    view.content = { view in
      [
        Line(view.first?.$name ?? "nobody"),
        ObjectReader(view.$first) { person in
          Fields(["Name": person.$name, "Phone": person.$phone])
        } placeholder: {
          Line("gone")
        },
      ]
    }
    let application = TerminalApplication(view)
    let terminal = MemoryTerminal(size: Size(columns: 30, rows: 6))
    try application.start(on: terminal)
    #expect(terminal.picture.prefix(2) == ["nobody", "gone"])
    let person: Person = try #require(try people.view.fetchFirst(where: \.$name == "A"))
    view.$first = people.view.publisher(of: person)
    await application.settled()
    #expect(terminal.picture.prefix(3) == ["A", "Name   A", "Phone"])
    let count = application.drawCount
    let other: Person = try #require(try people.view.fetchFirst(where: \.$name == "B"))
    other.phone = "2"
    people.view.processPendingChanges()
    await application.settled()
    #expect(application.drawCount == count, "it is not on the screen")
    person.phone = "a long text that has no room in one line"
    people.view.processPendingChanges()
    await application.settled()
    #expect(
      terminal.picture.prefix(4) == [
        "A", "Name   A", "Phone  a long text that has no", "       room in one line",
      ])
    try people.view.saveChanges()
    try await people.delete(["A"])
    await application.settled()
    #expect(terminal.picture.prefix(2) == ["nobody", "gone"])
    application.quit()
  }

  @Test func forEachObjectAndSection() async throws {
    let people = try await People(["Ann", "Alf", "Bob"])
    let all = try people.view.fetch(People.plain)
    #expect(
      await picture(people) { view in
        ForEach(sectionsOf: view.people) { section in
          Line(section.name, note: "\(section.indices.count)")
          ForEach(section, of: view.people) { Line("- \($0.$name ?? "")") }
        }
      } == [
        "A                                      2", "- Alf", "- Ann",
        "B                                      1", "- Bob",
      ])
    #expect(
      await picture(people) { view in ForEach(view.people) { Line($0.$name ?? "") } }
        == ["Alf", "Ann", "Bob"])
    let snapshots = all.compactMap { ObjectSnapshot(of: $0) }
    #expect(
      await picture(people) { _ in ForEach(snapshots) { Line($0.$name) } }
        == ["Alf", "Ann", "Bob"])
    let publishers: [ObjectPublisher<Person>] = all.map { people.view.publisher(of: $0) }
    #expect(
      await picture(people, rows: 3) { _ in ForEach(publishers) { Line($0.$name ?? "") } }
        == ["Alf", "Ann"])
  }

  @Test func widgetsBesideAndBelowEachOther() async throws {
    let people = try await People()
    #expect(
      await picture(people, rows: 10) { _ in
        Line("Above")
        Columns(1, 3) {
          Pane("Left") { Line("l") }
          Pane("Right") { Line("r") }
        }
      } == [
        "Above",
        "┌─ Left ───────────┐┌─ Right ──────────┐",
        "│l                 ││r                 │",
        "│                  ││                  │",
        "│                  ││                  │",
        "│                  ││                  │",
        "│                  ││                  │",
        "│                  ││                  │",
        "└──────────────────┘└──────────────────┘",
      ])
    #expect(
      await picture(people) { _ in
        Columns(minimum: 30) {
          Line("first")
          Line("second")
        }
      } == ["first"])
  }

  private struct Ruler: Widget {
    func height(columns: Int) -> Int? { 1 }

    func draw(in canvas: Canvas) {
      let half = canvas.part(columns: 2..<canvas.columns / 2, rows: 0..<9)
      half.draw(String(repeating: "-", count: 100), role: .dim)
    }
  }

  @Test func aWidgetOfOnesOwn() async throws {
    let people = try await People()
    #expect(await picture(people) { _ in Ruler() } == ["  -----------------…"])
  }

  @Test func themesByName() throws {
    #expect(TerminalTheme.names.count == 9)
    #expect(TerminalTheme(named: "paper")?.name == "Datastore Paper")
    #expect(TerminalTheme(named: "datastore-dark") == .standard)
    #expect(TerminalTheme(named: "pap") == nil)
    #expect(throws: ThemeError.self) { try TerminalTheme(contentsOfFile: "/nowhere.yaml") }
  }
}
