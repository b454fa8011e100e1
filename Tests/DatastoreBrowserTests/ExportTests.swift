import DatastoreCore
import DatastoreExport
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Rows on their way to files.
@MainActor
@Suite struct ExportTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func employees(_ file: TemporaryFile? = nil) async throws -> BrowserDriver {
    try await BrowserDriver(file ?? .company()) { _ in BrowserOptions(entity: "Employee") }
  }

  private func path(_ name: String) -> String { folder.path(name) }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func names() throws -> [String] {
    try folder.names()
  }

  /// Opens the export screen and writes to a file.
  private func write(_ browser: BrowserDriver, to name: String) async {
    await browser.press("E", "ctrl-u")
    await browser.type(path(name))
    await browser.press("enter")
  }

  /// The message of the export screen, in one line.
  private func note(_ browser: BrowserDriver) -> String {
    let area = ExportScreen.area(in: Size(columns: 80, rows: 24))
    return browser.picture(of: area.inset(horizontal: 2, vertical: 1)).joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
  }

  @Test func aFormatIsChosenByKeysThatTypeNothing() async throws {
    let browser = try await employees()
    await browser.press("E", "ctrl-n", "ctrl-n", "ctrl-p")
    let screen = try #require(browser.browser.state.overlay(as: ExportScreen.self))
    #expect(screen.format == .tsv)
    #expect(screen.field.text == "Employee.tsv")
  }

  @Test func theScreenOffersFormatsAndAPath() async throws {
    let browser = try await employees()
    await browser.press("E")
    browser.expect(
      browser.picture(of: ExportScreen.area(in: Size(columns: 80, rows: 24))),
      """
      ┏━ Export ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
      ┃ 5 rows of Employee, 5 columns                                            ┃
      ┃                                                                          ┃
      ┃ > CSV         fields separated by commas, with a header line             ┃
      ┃   TSV         fields separated by tabs, with a header line               ┃
      ┃   JSON        an array of objects                                        ┃
      ┃   JSON lines  one object a line                                          ┃
      ┃   Markdown    a table of GitHub Flavored Markdown                        ┃
      ┃   SQL         INSERT statements in a transaction                         ┃
      ┃   Text        columns of aligned text                                    ┃
      ┃                                                                          ┃
      ┃ File: Employee.csv                                                       ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┃                                                                          ┃
      ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ enter writes, esc cancels ━┛
      """)
    await browser.press("down", "down")
    #expect(browser.picture.contains { $0.contains("File: Employee.json") })
    await browser.press("ctrl-u")
    await browser.type("x.md")
    #expect(browser.picture.contains { $0.contains("> Markdown") })
    await browser.press("esc")
    let isOpen = browser.hasOverlay
    #expect(!isOpen)
  }

  @Test func rowsAreWrittenAsTheTableShowsThem() async throws {
    let browser = try await employees()
    // Sorted by name, without the position, the company's column first.
    await browser.press("right", "s", "right", "-")
    await write(browser, to: "a.csv")
    #expect(browser.status.contains("Wrote 5 rows, "))
    let isOpen = browser.hasOverlay
    #expect(!isOpen)
    #expect(
      try text("a.csv") == """
        id,name,salary,company_id
        5,"",2500.0,99
        1,Ann,3000.0,1
        2,Bob,2800.5,1
        3,Cid,3100.0,2
        4,Dora,,

        """)
    #expect(try names() == ["a.csv"])
  }

  @Test func theFilterAndTheSelectionDecide() async throws {
    let browser = try await employees()
    await browser.press("w")
    await browser.type("salary > 2600")
    await browser.press("enter")
    await write(browser, to: "filtered.jsonl")
    #expect(
      try text("filtered.jsonl").split(separator: "\n").map { $0.prefix(9) }
        == [#"{"id":1,""#, #"{"id":2,""#, #"{"id":3,""#])
    await browser.press("space", "down", "space")
    await write(browser, to: "selected.tsv")
    #expect(
      try text("selected.tsv") == """
        id\tname\tposition\tsalary\tcompany_id
        1\tAnn\tdeveloper\t3000.0\t1
        3\tCid\tdeveloper\t3100.0\t2

        """)
  }

  @Test func relatedObjectsAreIdentifiedForOtherStores() async throws {
    let file = try TemporaryFile("SELECT 1", name: "teams.sqlite")
    let number = AttributeDescription(name: "number", type: .integer64, isUnique: true)
    let team = RelationshipDescription(name: "team", kind: .toOne, destination: "Team")
    let schema = try Schema([
      EntityDescription(name: "Team", properties: [.attribute(number)]),
      EntityDescription(
        name: "Person",
        properties: [
          .attribute(AttributeDescription(name: "name", type: .string)), .relationship(team),
        ]),
    ])
    try SwiftDatastore(schema: schema, url: file.url).close()
    try file.execute(
      """
      INSERT INTO Team (_id, number) VALUES (1, 2), (2, 1);
      INSERT INTO Person (_id, name, team) VALUES (1, 'Ann', 2), (2, 'Bob', NULL);
      """)
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Person") }
    await write(browser, to: "people.csv")
    #expect(try text("people.csv") == "name,team.number\nAnn,1\nBob,\n")
    await write(browser, to: "people.sql")
    #expect(try text("people.sql").contains("(\"_id\", \"name\", \"team\") VALUES (1, 'Ann', 2)"))
    // The form of an import knows such a column.
    await browser.press(":")
    await browser.type("import \(path("people.csv"))")
    await browser.press("enter")
    let form = try #require(browser.browser.state.overlay(as: ImportForm.self))
    #expect(form.mappings.map(\.property) == ["name", "team"])
  }

  @Test func unsavedChangesAreInItAndDeletedRowsAreNot() async throws {
    let browser = try await employees()
    await browser.press("right", "e", "ctrl-u")
    await browser.type("Zoe")
    await browser.press("enter", "down", "D", "y")
    await browser.press("E")
    #expect(browser.picture.contains { $0.contains("with unsaved changes") })
    await browser.press("esc")
    await write(browser, to: "a.csv")
    let lines = try text("a.csv").split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[1] == "1,Zoe,developer,3000.0,1")
    #expect(lines[2].hasPrefix("3,Cid"))
    #expect(browser.status.contains("Wrote 4 rows"))
  }

  @Test func sqlIsReadBySQLite() async throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE "a ""b" (k TEXT, n INTEGER, t TEXT, b BLOB, g AS (n * 2), PRIMARY KEY (k, n))
        WITHOUT ROWID;
      CREATE TABLE child (id INTEGER PRIMARY KEY, pk TEXT, pn INTEGER,
        FOREIGN KEY (pk, pn) REFERENCES "a ""b" (k, n));
      INSERT INTO "a ""b" VALUES ('x', 1, 'it''s', X'00FF'), ('y', 2, NULL, NULL);
      INSERT INTO child VALUES (1, 'y', 2), (2, NULL, NULL), (3, 'x', 1);
      CREATE TABLE accent (id INTEGER PRIMARY KEY, "caf\u{E9}" TEXT, "cafe\u{301}" TEXT);
      INSERT INTO accent VALUES (1, 'c', 'd');
      """)
    let copy = try TemporaryFile(
      """
      CREATE TABLE "a ""b" (k TEXT, n INTEGER, t TEXT, b BLOB, g AS (n * 2), PRIMARY KEY (k, n))
        WITHOUT ROWID;
      CREATE TABLE child (id INTEGER PRIMARY KEY, pk TEXT, pn INTEGER);
      CREATE TABLE accent (id INTEGER PRIMARY KEY, "caf\u{E9}" TEXT, "cafe\u{301}" TEXT);
      """)
    for entity in ["a \"b", "child", "accent"] {
      let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: entity) }
      await write(browser, to: "x.sql")
      #expect(browser.status.contains("Wrote"), "\(browser.picture)")
      let sql = try text("x.sql")
      try copy.execute(
        sql.replacingOccurrences(of: "BEGIN;\n", with: "").replacingOccurrences(
          of: "COMMIT;\n", with: ""))
      try FileManager.default.removeItem(atPath: path("x.sql"))
    }
    for query in [
      "SELECT group_concat(quote(k) || quote(n) || quote(t) || quote(b)) FROM \"a \"\"b\"",
      "SELECT group_concat(id || quote(pk) || quote(pn)) FROM child",
      "SELECT id || \"caf\u{E9}\" || \"cafe\u{301}\" FROM accent",
    ] {
      #expect(try copy.values(query) == file.values(query))
    }
  }

  @Test func aFileIsReplacedOnlyAfterAQuestion() async throws {
    let browser = try await employees()
    try "old".write(toFile: path("a.csv"), atomically: true, encoding: .utf8)
    await write(browser, to: "a.csv")
    let question = browser.browser.state.overlay(as: Question.self)?.message
    #expect(question?.contains("already exists. Replace it?") == true)
    #expect(try text("a.csv") == "old")
    await browser.press("n")
    #expect(try text("a.csv") == "old")
    // Back in the line for the path, which is as it was.
    await browser.press("enter", "y")
    #expect(try text("a.csv").hasPrefix("id,name"))
    #expect(try names() == ["a.csv"])
    let isOpen = browser.hasOverlay
    #expect(!isOpen)
  }

  @Test func whatIsTypedReplacesTheOfferedPath() async throws {
    let file = try TemporaryFile.company()
    let browser = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await browser.press("E")
    await browser.type("mine.json")
    #expect(browser.browser.state.overlay(as: ExportScreen.self)?.field.text == "mine.json")
    // To change the text instead of replacing it, move in it first.
    await browser.press("esc", "E", "end", "x")
    let text = browser.browser.state.overlay(as: ExportScreen.self)?.field.text
    #expect(text?.hasPrefix("Employee.") == true && text?.hasSuffix("x") == true)
    await browser.press("esc", "E", "backspace")
    #expect(browser.browser.state.overlay(as: ExportScreen.self)?.field.text == "")
  }

  @Test func faultsAreSentencesBelowThePath() async throws {
    let browser = try await employees()
    await write(browser, to: "missing/a.csv")
    let note1 = note(browser)
    #expect(note1.contains("could not be created: No such file or directory."))
    await browser.press("ctrl-u")
    await browser.press("enter")
    let note2 = note(browser)
    #expect(note2.contains("Type the path of a file."))
    await browser.type("/dev/full")
    await browser.press("enter")
    let note3 = note(browser)
    #expect(note3.contains("/dev/full was not written: No space left on device."))
    #expect(try names() == [])
  }

  @Test func thePathIsCompletedAndTheHomeDirectoryIsKnown() async throws {
    try FileManager.default.createDirectory(
      atPath: path("reports"), withIntermediateDirectories: false)
    let browser = try await employees()
    await browser.press("E", "ctrl-u")
    await browser.type(path("rep"))
    await browser.press("tab")
    #expect(browser.picture.contains { $0.contains("reports/") })
    #expect(PathCompletion.expanded("~/x") != "~/x")
  }

  @Test func thePaletteWritesToAFile() async throws {
    let browser = try await employees()
    await browser.press(":")
    await browser.type("export \(path("p.json"))")
    await browser.press("enter")
    #expect(browser.status.contains("Wrote 5 rows"), "\(browser.picture)")
    #expect(try text("p.json").hasPrefix("[\n{\"id\":1,"))
    await browser.press(":")
    await browser.type("export \(path("p.what"))")
    await browser.press("enter")
    #expect(browser.status.contains("The file name sets the format"))
  }

  @Test func anExportIsStopped() async throws {
    let browser = try await BrowserDriver(.large(50_000))
    await browser.press("E", "ctrl-u")
    await browser.type(path("big.csv"))
    browser.terminal.press("enter")
    browser.terminal.press("esc")
    await browser.browser.idle()
    // Either the export was stopped, or it was faster than the key; never is there a part of a file.
    let isWhole = try names() == ["big.csv"]
    if isWhole {
      #expect(try text("big.csv").split(separator: "\n").count == 50_001)
    } else {
      #expect(try names() == [])
      #expect(browser.status.contains("The export was stopped; no file was written."))
    }
  }

  @Test func manyRowsKeepTheirOrder() async throws {
    let browser = try await BrowserDriver(.large(5_000))
    await browser.press("right", "s", "s")
    await write(browser, to: "big.csv")
    let lines = try text("big.csv").split(separator: "\n")
    #expect(lines.count == 5_001)
    let names = lines.dropFirst().map { $0.split(separator: ",")[1] }
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reversed())
  }
}
