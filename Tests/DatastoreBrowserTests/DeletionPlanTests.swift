import TerminalUI
import Testing

@testable import DatastoreBrowser

/// The forecast before objects are deleted.
@MainActor
@Suite struct DeletionPlanTests {
  @Test func objectsThatAreReachedByTwoWaysAreCountedOnce() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Firm (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE Team (id INTEGER PRIMARY KEY, name TEXT,
        firm_id INTEGER REFERENCES Firm ON DELETE CASCADE);
      CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT,
        firm_id INTEGER REFERENCES Firm ON DELETE SET NULL,
        team_id INTEGER REFERENCES Team ON DELETE SET NULL);
      CREATE TABLE Desk (id INTEGER PRIMARY KEY,
        firm_id INTEGER REFERENCES Firm ON DELETE CASCADE,
        team_id INTEGER REFERENCES Team ON DELETE SET NULL);
      INSERT INTO Firm VALUES (1, 'Acme');
      INSERT INTO Team VALUES (1, 'Red', 1), (2, 'Blue', 1);
      INSERT INTO Person VALUES (1, 'Ann', 1, 1), (2, 'Bob', 1, 2), (3, 'Cid', 1, NULL);
      INSERT INTO Desk VALUES (1, 1, 1), (2, 1, 2);
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("D")
    // Three persons, though five ways lead to them; desks are deleted, and so lose no relationship.
    browser.expectShown("Deleted with it: 2 Desk, 2 Team.")
    browser.expectShown("No longer related to it: 3 Person.")
  }

  @Test func aDefaultThatTheFileSetsIsSaid() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Dept (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT,
        dept_id INTEGER DEFAULT 1 REFERENCES Dept ON DELETE SET DEFAULT,
        office_id INTEGER REFERENCES Dept ON DELETE SET DEFAULT);
      INSERT INTO Dept VALUES (1, 'Pool'), (2, 'Sales');
      INSERT INTO Person VALUES (1, 'Ann', 2, NULL), (2, 'Bob', 2, NULL), (3, 'Cid', 1, 2);
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("down", "D")
    browser.expectShown("Related to the default one instead: 2 Person.")
    // Without a default, it is cleared.
    browser.expectShown("No longer related to it: 1 Person.")
    await browser.press("y", "ctrl-s")
    #expect(
      try file.values("SELECT group_concat(dept_id, '') || count(office_id) FROM Person") == [
        "1110"
      ])
  }

  /// A join table may refer to a text, which is read from the row that is deleted.
  @Test func pairsOfATextKeyAreRemovedWithItsRow() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Tag (name TEXT PRIMARY KEY);
      CREATE TABLE Item (id INTEGER PRIMARY KEY, title TEXT);
      CREATE TABLE ItemTag (item_id INTEGER REFERENCES Item (id), tag TEXT REFERENCES Tag (name),
        PRIMARY KEY (item_id, tag));
      INSERT INTO Tag VALUES ('new'), ('old');
      INSERT INTO Item VALUES (1, 'Lamp');
      INSERT INTO ItemTag VALUES (1, 'new'), (1, 'old');
      """)
    let browser = try await BrowserDriver(file)
    await browser.press("D")
    browser.expectShown("No longer related to it: 1 Item.")
    await browser.press("y", "ctrl-s")
    #expect(try file.values("SELECT tag FROM ItemTag") == ["old"])
    #expect(try file.values("SELECT name FROM Tag") == ["old"])
  }
}
