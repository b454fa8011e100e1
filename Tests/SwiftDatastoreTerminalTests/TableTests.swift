import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import Testing

/// Lists on the screen: their pictures, and the effects of keys.
@MainActor
@Suite struct TableTests {
  @Test func sectionsInAPicture() async throws {
    let people = try await People(["Ann", "Bob", "Alf", "Zoë"])
    let application = TerminalApplication(PeopleView(people))
    #expect(
      await application.picture(columns: 30, rows: 12) == [
        "┏━ People ━━━━━━━━━━━━━━━━━━━┓",
        "┃A                           ┃",
        "┃Alf                         ┃",
        "┃Ann                         ┃",
        "┃B                           ┃",
        "┃Bob                         ┃",
        "┃Z                           ┃",
        "┃Zoë                         ┃",
        "┃                            ┃",
        "┃                            ┃",
        "┗━━━━━━━━━━━━━━━━━━━ 1 of 4 ━┛",
        "",
      ])
  }

  @Test func itScrollsOnASmallScreen() async throws {
    let people = try await People(["Ann", "Bob", "Alf", "Zoë"])
    let application = TerminalApplication(PeopleView(people))
    #expect(
      await application.picture(columns: 20, rows: 5)
        == ["A", "Alf", "Ann", "B", ""].withBar(
          "█", "█", "│", "│"))
    await application.send("end")
    #expect(
      await application.picture(columns: 20, rows: 5)
        == ["B", "Bob", "Z", "Zoë", ""].withBar(
          "│", "│", "█", "█"))
    await application.send("up", "up")
    #expect(
      await application.picture(columns: 20, rows: 5).first?.hasPrefix("Ann") == true,
      "as little as is needed")
    await application.send("home")
    #expect(await application.picture(columns: 20, rows: 5).first?.hasPrefix("A ") == true)
  }

  @Test func nothingIsShownAsSuch() async throws {
    let people = try await People()
    let view = PeopleView(people)
    let application = TerminalApplication(view)
    #expect(view.$people.isReading)
    #expect(await application.picture(columns: 30, rows: 6)[1] == "┃Nobody.                     ┃")
    #expect(!view.$people.isReading && view.$people.selection == nil)
    await application.send("down", "up", "end", "pgdn", "home")
    #expect(view.$people.selection == nil)
    try await people.add(["Ann"])
    #expect(await application.picture(columns: 30, rows: 6)[2] == "┃Ann                         ┃")
    #expect(view.$people.selected?.$name == "Ann")
  }

  @Test func columnsWithTitles() async throws {
    let people = try await People(["Ann"])
    let view = ColumnsView(people)
    #expect(
      await TerminalApplication(view).picture(columns: 30, rows: 4) == [
        "Name" + String(repeating: " ", count: 20) + "Phone",
        "Ann" + String(repeating: " ", count: 25) + "—",
        "",
        "",
      ])
  }

  private final class ColumnsView: TerminalView {
    @ListState var people: ListSnapshot<Person>

    init(_ people: People) { _people = ListState(people.view, People.plain) }

    var body: [any Widget] {
      Table(
        $people,
        columns: [
          TableColumn("Name") { $0.$name },
          TableColumn("Phone", width: 7, isTrailing: true) { $0.$phone ?? "—" },
        ])
    }
  }

  @Test func aTitleOfASection() async throws {
    let people = try await People(["Ann", "Bob"])
    let view = TitledView(people)
    let picture = await TerminalApplication(view).picture(columns: 30, rows: 6)
    #expect(picture == ["A: 1", "Ann", "B: 1", "Bob", "", ""])
  }

  private final class TitledView: TerminalView {
    @ListState var people: ListSnapshot<Person>

    init(_ people: People) { _people = ListState(people.view, People.inSections) }

    var body: [any Widget] {
      Table($people, columns: [TableColumn { $0.$name }]) { section in
        "\(section.name): \(section.indices.count)"
      }
    }
  }

  // Promise: text of the file holds controls and bidi marks → drawn as marks.
  /// Text of the file that could speak to the terminal is drawn as marks.
  @Test func hostileText() async throws {
    let people = try await People(["A\u{1B}[2J\u{202E}x"])
    let picture = await TerminalApplication(PeopleView(people, title: nil)).picture(
      columns: 20, rows: 4)
    #expect(picture[1] == "A␛[2J·x")
  }
}

extension [String] {
  /// The lines with a scrollbar in the last column of 20.
  fileprivate func withBar(_ bar: String...) -> [String] {
    enumerated().map { row, line in
      guard row < bar.count else { return line }
      return line + String(repeating: " ", count: 19 - line.count) + bar[row]
    }
  }
}
