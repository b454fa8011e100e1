import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastoreTerminal
import TerminalUI
import Testing

/// Someone else's changes, while a list is on the screen.
@MainActor
@Suite struct FollowingTests {
  @Test func theSelectedStaysInItsRow() async throws {
    let people = try await People((10..<60).map { "P\($0)" })
    let view = PeopleView(people, People.plain, title: nil)
    let application = TerminalApplication(view)
    _ = await application.picture(columns: 30, rows: 11)
    for _ in 0..<20 { await application.send("down") }
    let before = await application.picture(columns: 30, rows: 11)
    #expect(view.$people.selected?.$name == "P30" && before[9].hasPrefix("P30"))
    try await people.add(["A1", "A2", "A3", "P305"])
    let after = await application.picture(columns: 30, rows: 11)
    #expect(names(after) == names(before), "what came above is above, and what came below is below")
    try await people.delete(["A1", "A2", "P12", "P13"])
    #expect(names(await application.picture(columns: 30, rows: 11)) == names(before))
    #expect(view.$people.selected?.$name == "P30")
    try await people.rename("P30", to: "Z")
    let moved = await application.picture(columns: 30, rows: 11)
    #expect(view.$people.selected?.$name == "Z" && moved[9].hasPrefix("Z"), "it went to the end")
  }

  /// The lines without the scrollbar, which shows how much is above.
  private func names(_ picture: [String]) -> [String] { picture.map { String($0.prefix(20)) } }

  @Test func theNextIsSelectedWhereTheSelectedWent() async throws {
    let people = try await People(["A", "B", "C", "D", "E"])
    let view = PeopleView(people)
    let application = TerminalApplication(view)
    _ = await application.picture()
    await application.send("down", "down")
    try await people.delete(["C", "D"])
    await application.settled()
    #expect(view.$people.selected?.$name == "E")
    try await people.delete(["E"])
    await application.settled()
    #expect(view.$people.selected?.$name == "B")
    try await people.delete(["A", "B"])
    await application.settled()
    #expect(view.$people.selection == nil)
  }

  @Test func anotherConditionKeepsTheSelectedOrBeginsAtTheFirst() async throws {
    let people = try await People((10..<60).map { "P\($0)" })
    let view = PeopleView(people, People.plain)
    let application = TerminalApplication(view)
    _ = await application.picture(columns: 30, rows: 9)
    await application.send("end", "up")
    try await view.$people.publisher.refetch(People.plain.where(\.$name >= "P40"))
    #expect(view.$people.selected?.$name == "P58")
    try await view.$people.publisher.refetch(People.plain.where(\.$name < "P40"))
    let picture = await application.picture(columns: 30, rows: 9)
    #expect(view.$people.selected?.$name == "P10" && picture[1].hasPrefix("┃P10"))
  }

  @Test func anObjectIsSelectedBeforeTheListHasIt() async throws {
    let people = try await People(["A", "C"])
    let view = PeopleView(people)
    let application = TerminalApplication(view)
    _ = await application.picture()
    let person: Person = try people.view.createObject()
    person.fill("B")
    view.$people.select(person.objectID)
    #expect(view.$people.selected?.$name == "A")
    await application.settled()
    #expect(view.$people.selected?.$name == "B")
    // It has another key once it is saved.
    try people.view.saveChanges()
    await application.settled()
    #expect(view.$people.selected?.$name == "B")
    try await people.add(["AA"])
    await application.settled()
    #expect(view.$people.selected?.$name == "B")
  }

  // Promise: another process writes the file → the picture follows.
  // Also: `ContactBookTests.journey` (sqlite3 program)
  @Test(.enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
  func anotherProcessWrites() async throws {
    let people = try await People(["Ann", "Bob"])
    let view = PeopleView(people)
    let application = TerminalApplication(view)
    #expect(await application.picture(columns: 30, rows: 12)[3].hasPrefix("┃B "))
    try SQLiteCommand.run(
      """
      INSERT INTO Person(name, letter) VALUES ('Cid', 'C');
      UPDATE Person SET name = 'Anna' WHERE name = 'Ann'; DELETE FROM Person WHERE name = 'Bob';
      """, on: people.url)
    #expect(try people.datastore.checkForExternalChanges())
    let picture = await application.picture(columns: 30, rows: 12)
    #expect(
      picture[1...4].map { $0.trimmingCharacters(in: ["┃", " "]) } == ["A", "Anna", "C", "Cid"])
    #expect(view.$people.selected?.$name == "Anna")
  }

  // Promise: a list cannot be read → it says why, in its last row.
  @Test(.enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
  func aListThatCannotBeReadSaysWhy() async throws {
    let people = try await People(["Ann"])
    try SQLiteCommand.run("ALTER TABLE Person RENAME TO Nobody", on: people.url)
    let view = PeopleView(people, title: nil)
    let application = TerminalApplication(view)
    let picture = await application.picture(columns: 80, rows: 8)
    let fault = try #require(view.$people.fault)
    #expect(picture[6].hasPrefix(String("\(fault)".prefix(60))), "\(picture)")
    #expect(!view.$people.isReading)
  }

  // Promise: many changes happen in one turn, or to what is not shown → one picture, or none.
  // Also: `ReaderTests.anObjectAndWhatComesOfIt`
  @Test func theScreenIsDrawnOncePerTurnAndOnlyForWhatItShows() async throws {
    let people = try await People((0..<50).map { "P\($0)" })
    let application = TerminalApplication(PeopleView(people, People.plain))
    let terminal = MemoryTerminal(size: Size(columns: 40, rows: 10))
    try application.start(on: terminal)
    await application.settled()
    let before = application.drawCount
    let names = try people.view.fetch(People.plain).prefix(20)
    for person in names { person.phone = "1" }
    people.view.processPendingChanges()
    await application.settled()
    #expect(application.drawCount == before + 1, "twenty changes, one picture")
    await application.settled()
    #expect(application.drawCount == before + 1, "nothing happened")
    terminal.press("down")
    #expect(application.drawCount == before + 2 && terminal.picture[1].contains("P0"))
    application.quit()
    #expect(!terminal.isRunning)
    try people.view.fetch(People.plain).first?.fill("Q")
    people.view.processPendingChanges()
    await application.settled()
    #expect(application.drawCount == before + 2)
  }
}
