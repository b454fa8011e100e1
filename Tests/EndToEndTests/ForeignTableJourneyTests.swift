import DatastoreTestSupport
import Foundation
import Testing

/// A day with a table of another program, on a real terminal and without one: the columns that matter come
/// first, annotations add what the file lacks, rows are pasted, a save is undone, and a script does all of it
/// again.
@Suite("A foreign table on a terminal", .enabled(if: TmuxSession.isPresent, TmuxSession.absence))
struct ForeignTableJourneyTests {
  private static let sql = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, uuid TEXT, first_name TEXT, last_name TEXT, weight REAL);
    CREATE TABLE visits (id INTEGER PRIMARY KEY, person_id INTEGER, seen_at TEXT, note TEXT);
    INSERT INTO people VALUES
      (1, '3bb32233-9e95-4c2a-afbe-9877a1340001', 'Ann', 'Smith', 61.5),
      (2, '3bb32233-9e95-4c2a-afbe-9877a1340002', 'Bob', 'Jones', 80);
    INSERT INTO visits VALUES (1, 2, '2024-02-29 10:00:00', 'late');
    """

  @Test(
    "Names, units, pasted rows, the saves of a session, and its script", arguments: StorePlace.all)
  func day(_ place: StorePlace) async throws {
    let program = try Program()
    let file = program.directory.url.appending(path: "f.sqlite")
    let server = try place.server(program)
    let words = place.words(file)
    try SQLiteFile.make(at: file, Self.sql)
    let session = try TmuxSession(program, identifiersLast: true)
    try await session.wait(for: "$")
    try session.tmux("resize-window", "-x", "120", "-y", "40")
    if let server { try session.enter("PATH=\(server.programs.path):$PATH; export PATH") }
    try session.enter("clear; datastore \(words) --entity people")
    try await session.wait(for: "the columns that people read first") { lines in
      lines.contains {
        $0.contains("first_name") && $0.contains("uuid") && !$0.contains("id  uuid  f")
      }
        && lines.contains { $0.contains("people Ann Smith") }
    }
    let header = try #require(try session.picture().first { $0.contains("last_name") })
    let name = try #require(header.range(of: "first_name"))
    let uuid = try #require(header.range(of: "uuid"))
    #expect(name.lowerBound < uuid.lowerBound)
    // A unit, a declared relationship, and the labels of objects.
    try session.press("Right", "Right", "%", "Down", "Down")
    try await session.wait(for: "Meaning of people.weight", "The unit of the numbers")
    try session.enter("kg")
    try await session.wait(for: "weight (kg)")
    try session.press(":")
    try await session.wait(for: "Commands")
    try session.enter("column-meaning names last_name")
    try await session.wait(for: "people Smith")
    // Rows of a spreadsheet, as a terminal pastes them.
    try session.press("0")
    try session.tmux("set-buffer", "first_name\tweight\nCid\t70\nDora\tmuch\n")
    try session.tmux("paste-buffer", "-p")
    try await session.wait(for: "Paste 1 new object of people", "Row 2: “much” is not a number")
    try session.press("Enter")
    try await session.wait(for: "1 object pasted. 1 row left out.")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 new.")
    // From field to field, and back out of a save.
    try session.press("g", "g", "0", "e", "C-u")
    try session.type("Zoe")
    try session.press("Tab")
    try await session.wait(for: "people.last_name")
    try session.press("Escape")
    // A key right after it would be read as one with Alt.
    try await session.wait(for: "● 1 changed") { lines in
      !lines.contains { $0.contains("people.last_name") }
    }
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.")
    try session.press("g", "C")
    try await session.wait(for: "Changes since")
    try session.press("g", "t")
    try await session.wait(for: "Saves of this session", "first_name", "Zoe")
    try session.press("Enter")
    try await session.wait(for: "Save 2 is undone by unsaved changes of 1 object.")
    try session.press("C-s")
    try await session.wait(for: "Saved: 1 changed.")
    try session.press(":")
    try await session.wait(for: "Commands")
    try session.enter("save-session day.session")
    try await session.wait(for: "written to day.session")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    let people = "SELECT group_concat(first_name || weight) FROM (SELECT * FROM people ORDER BY id)"
    #expect(try SQLiteCommand.run(people, on: file) == "Ann61.5,Bob80.0,Cid70.0")
    // Annotations of the file are there the next time, and can be left out.
    try session.enter("clear; datastore \(words) --entity people")
    try await session.wait(for: "weight (kg)", "people Smith")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    try session.enter("clear; datastore browse \(words) --entity people --no-annotations")
    try await session.wait(for: "people Ann Smith")
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
    // The same again with a new file, without a terminal.
    if place == .ssh { return }
    let other = program.directory.url.appending(path: "g.sqlite")
    try SQLiteFile.make(at: other, Self.sql)
    let replayed = try await program.start(
      ["browse"] + place.arguments(other) + ["--entity", "people", "--replay", "day.session"]
    ).outcome()
    #expect(replayed.status == 0, "\(replayed)")
    #expect(replayed.output.contains("weight (kg)"))
    #expect(try SQLiteCommand.run(people, on: other) == "Ann61.5,Bob80.0,Cid70.0")
    try "sort\nfollow-cell\n".write(
      to: program.directory.url.appending(path: "bad.session"), atomically: true, encoding: .utf8)
    let failed = try await program.run(
      "browse", "g.sqlite", "--entity", "people", "--replay", "bad.session")
    #expect(failed.status == 1)
    #expect(failed.errors.contains("Line 2 of the session, “follow-cell”, was not done"))
  }
}
