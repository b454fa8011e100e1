import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Annotations add meaning to a file, outside of it.
@MainActor
@Suite struct MeaningTests {
  private static let sql = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, weight REAL, done INT);
    CREATE TABLE invoices (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people (id),
      issued DATETIME, total NUMERIC(10,2));
    CREATE TABLE products (id INTEGER PRIMARY KEY, created_at TEXT, title TEXT);
    CREATE TABLE lines (id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices (id),
      product_id INTEGER REFERENCES products (id), amount INTEGER);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, about INTEGER, body TEXT);
    INSERT INTO people VALUES (1, 'Ann', 'Smith', 61.5, 0), (2, 'Bob', NULL, 80, 1);
    INSERT INTO invoices VALUES (7, 1, '2009-01-01 00:00:00', 10.5), (8, 2, '2009-01-02 00:00:00', 2);
    INSERT INTO products VALUES (1, '2009-01-01 00:00:00', 'Pen'), (2, '2009-01-01 00:00:00', 'Ink');
    INSERT INTO lines VALUES (1, 7, 1, 3), (2, 7, 2, 1);
    INSERT INTO notes VALUES (1, 2, 'late'), (2, 1, 'early');
    """

  private func browse(
    _ file: TemporaryFile, _ entity: String, state: URL? = nil,
    size: Size = Size(columns: 120, rows: 30)
  ) async throws -> BrowserDriver {
    let annotations = AnnotationsFile(of: KeptSubject(store: file.url), in: state)?.read()
      .annotations
    return try await BrowserDriver(
      file, size: size, annotations: annotations ?? SchemaAnnotations()
    ) { _ in BrowserOptions(entity: entity, stateDirectory: state) }
  }

  private func label(_ entity: String, of file: TemporaryFile) throws -> [String] {
    let schema = try SwiftDatastore(opening: file.url).schema
    let found = try #require(schema.entity(named: entity))
    return ObjectLabel(found: found).parts.map { found.properties[$0.slot].name }
  }

  @Test func objectsAreCalledByWhatPeopleCallThem() throws {
    let file = try TemporaryFile(Self.sql)
    #expect(try label("people", of: file) == ["first_name", "last_name"])
    // Neither a key nor a moment is a name.
    #expect(try label("invoices", of: file) == [])
    #expect(try label("products", of: file) == ["title"])
    #expect(try label("lines", of: file) == ["invoice", "product"])
    let other = try TemporaryFile(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, uuid TEXT, updatedAt TEXT, start_date TEXT, colour TEXT);
      CREATE TABLE b (name TEXT, surname TEXT); CREATE TABLE c (surname TEXT, email TEXT);
      CREATE TABLE d (full_name TEXT, name TEXT, surname TEXT); CREATE TABLE e (stamp TIMESTAMP);
      """)
    #expect(try label("a", of: other) == ["colour"])
    #expect(try label("b", of: other) == ["name", "surname"])
    #expect(try label("c", of: other) == ["surname"])
    #expect(try label("d", of: other) == ["full_name"])
    #expect(try label("e", of: other) == [])
  }

  @Test func namesTitlesAndNumbersComeBeforeAddresses() throws {
    let file = try TemporaryFile(
      """
      CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, Street TEXT, Company_Name TEXT, Email TEXT);
      CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER REFERENCES Customer,
        BillingAddress TEXT, BillingCity TEXT, Total NUMERIC);
      CREATE TABLE Receipt (Id INTEGER PRIMARY KEY, Phone_Number TEXT, Email TEXT, ReceiptNumber INTEGER);
      CREATE TABLE city (city_id INTEGER PRIMARY KEY, postal_code TEXT, city TEXT);
      CREATE TABLE place (id INTEGER PRIMARY KEY, street TEXT, country TEXT);
      """)
    #expect(try label("Customer", of: file) == ["Company_Name"])
    // It has a number of its own, which is its key.
    #expect(try label("Invoice", of: file) == [])
    #expect(try label("Receipt", of: file) == ["ReceiptNumber"])
    #expect(try label("city", of: file) == ["city"])
    #expect(try label("place", of: file) == ["street"])
  }

  @Test func aJoinRowSaysItsOtherSide() async throws {
    let file = try TemporaryFile(Self.sql)
    let invoices = try await browse(file, "invoices")
    #expect(invoices.table[1].contains("Ann Smith"))
    #expect(invoices.table[2].contains("Bob"))
    // Its lines have the names of their products: the invoice is already clear.
    #expect(invoices.detail.contains { $0.hasSuffix("→ Pen") })
    #expect(invoices.detail.contains { $0.hasSuffix("→ Ink") })
    let lines = try await browse(file, "lines")
    lines.expectShown("lines #7 · Pen")
    // Of a person one finds either name.
    await invoices.press("/")
    await invoices.type("smith")
    await invoices.press("enter")
    #expect(invoices.browser.state.table?.currentColumn?.name == "person")
  }

  // Promise: something is said of a file → no byte of it changes.
  @Test func labelsAreSaidSeenAndTakenBack() async throws {
    let file = try TemporaryFile(Self.sql)
    let bytes = try Data(contentsOf: file.url)
    let folder = try TemporaryDirectory()
    let browser = try await browse(file, "people", state: folder.url)
    browser.expectShown("people Ann Smith")
    await browser.press("%", "down", "down", "down", "down")
    browser.expectShown("first_name, last_name, as found")
    await browser.type("last_nam")
    await browser.press("enter")
    browser.expectShown("people has no property “last_nam”. Did you mean “last_name”?")
    await browser.press("ctrl-u")
    await browser.type("last_name, weight")
    await browser.press("enter")
    browser.expectShown("people Smith 61.5")
    // It is kept, and holds in references.
    let second = try await browse(file, "invoices", state: folder.url)
    #expect(second.table[1].contains("Smith 61.5") && second.table[2].contains("80.0"))
    await second.press("gm")
    second.expectShown("objects of people are named by last_name, weight")
    await second.press("x", "esc")
    #expect(second.table[1].contains("Ann Smith"))
    let third = try await browse(file, "invoices", state: folder.url)
    #expect(third.browser.state.annotations?.isEmpty == true)
    #expect(try Data(contentsOf: file.url) == bytes)
  }

  @Test func unitsStandBesideTheNamesOfColumns() async throws {
    let file = try TemporaryFile(Self.sql)
    let folder = try TemporaryDirectory()
    let browser = try await browse(file, "people", state: folder.url)
    await browser.press("right", "right", "right", "%", "down", "down")
    browser.expectShown("Meaning of people.weight")
    browser.expectShown("no unit")
    await browser.type("kg")
    await browser.press("enter")
    #expect(browser.table[0].contains("weight (kg)"))
    #expect(browser.detail.contains { $0.contains("real, kg") })
    let second = try await browse(file, "people", state: folder.url)
    #expect(second.table[0].contains("weight (kg)"))
    await second.press("right", "%", "down", "down")
    second.expectShown("This column holds no numbers.")
  }

  // Promise: a column is taken for another type → what SQLite stores keeps its kind.
  @Test func aColumnIsTakenForAnotherType() async throws {
    let file = try TemporaryFile(Self.sql)
    let folder = try TemporaryDirectory()
    let browser = try await browse(file, "people", state: folder.url)
    await browser.press("$", "%")
    browser.expectShown("Meaning of people.done")
    browser.expectShown("INT, as the file declares it")
    await browser.type("bool")
    browser.expectShown("0 and 1 are false and true")
    await browser.press("enter")
    #expect(browser.table[1].hasSuffix("false") && browser.table[2].hasSuffix("true"))
    await browser.press("w")
    await browser.type("done == true")
    await browser.press("enter")
    #expect(browser.status.contains("1 row"))
    // The saved value is SQLite's: a number.
    await browser.press("x", "home", "$", "e", "up", "enter", "ctrl-s")
    #expect(try file.values("SELECT typeof(done) FROM people") == ["integer", "integer"])
    await browser.press("gm", "x", "esc")
    #expect(browser.table[2].hasSuffix("1"))
  }

  @Test func aRelationshipIsDeclaredThatNothingSuggests() async throws {
    let file = try TemporaryFile(Self.sql)
    let folder = try TemporaryDirectory()
    let browser = try await browse(file, "notes", state: folder.url)
    await browser.press("right", "%", "down", "down", "down")
    browser.expectShown("Meaning of notes.about")
    await browser.type("people")
    await browser.press("enter")
    #expect(browser.table[1].contains("Bob") && browser.table[2].contains("Ann Smith"))
    await browser.press("o")
    browser.expectShown("notes › people")
    let second = try await browse(file, "notes", state: folder.url)
    await second.press("gm")
    second.expectShown("notes.about → people.id")
    await second.press("x", "esc")
    #expect(second.table[1].contains(" 2 "))
    // A name that does not exist is refused.
    await second.press(":")
    await second.type("column-meaning refers nobody.id")
    await second.press("enter")
    second.expectShown("There is no column “nobody.id” whose values are unique")
    #expect(second.browser.state.overlay(as: MeaningForm.self)?.current.line == .refers)
  }

  @Test func severalLinesOfTheFormAreAppliedAtOnce() async throws {
    let file = try TemporaryFile(Self.sql)
    let browser = try await browse(file, "people")
    await browser.go(to: "weight")
    await browser.press("%", "tab", "tab")
    // Tab goes through the choices.
    #expect(browser.browser.state.overlay(as: MeaningForm.self)?.current.text == "INTEGER")
    await browser.press("ctrl-u", "down", "down")
    await browser.type("a unit that is too long")
    await browser.press("down", "down")
    await browser.type("last_name")
    await browser.press("down")
    await browser.type("n")
    await browser.press("enter")
    // The first wrong line is shown, and nothing is applied.
    browser.expectShown("A unit is shown beside the name of its column")
    let form = try #require(browser.browser.state.overlay(as: MeaningForm.self))
    #expect(form.current.line == .unit)
    #expect(browser.browser.state.annotations?.isEmpty != false)
    await browser.type("kg")
    await browser.press("enter")
    #expect(!browser.hasOverlay)
    #expect(!browser.columnNames.contains("weight"))
    let said = try #require(browser.browser.state.annotations)
    #expect(said.unit(of: "weight", in: "people") == "kg")
    #expect(said.label(of: "people") == ["last_name"])
    #expect(said.type(of: "weight", in: "people") == nil)
    #expect(browser.status.contains("Objects of people are named by last_name."))
  }

  @Test func aLineOfTheFormIsSetByItsName() async throws {
    let browser = try await browse(try TemporaryFile(Self.sql), "people")
    await browser.go(to: "weight")
    await browser.press(":")
    await browser.type("column-meaning unit kg")
    await browser.press("enter")
    #expect(!browser.hasOverlay)
    #expect(browser.table[0].contains("weight (kg)"))
    await browser.press(":")
    await browser.type("column-meaning colour red")
    await browser.press("enter")
    browser.expectShown("There is no line “colour”; there are type")
    await browser.press("esc")
    #expect(!browser.hasOverlay)
  }

  @Test func tablesAreHiddenAndComeBack() async throws {
    let file = try TemporaryFile(Self.sql)
    let folder = try TemporaryDirectory()
    let browser = try await browse(file, "invoices", state: folder.url)
    await browser.press("shift-tab", "-")
    #expect(browser.status.contains("invoices is hidden. Press + to show it again."))
    #expect(
      browser.entities.map { $0.prefix { $0 != " " } } == ["people", "products", "lines", "notes"])
    browser.expectShown("+ 1 hidden")
    // It is only out of the list: relationships lead to it, and the palette finds it.
    let second = try await browse(file, "lines", state: folder.url)
    #expect(second.entities.count == 4)
    await second.press("right", "o")
    #expect(second.browser.state.entity?.name == "invoices")
    await second.press("shift-tab", "+")
    second.expectShown("Hidden entities")
    await second.press("enter")
    #expect(second.entities.count == 5)
    for _ in 0..<4 { await second.press("end", "-") }
    await second.press("-")
    #expect(second.status.contains("At least one entity must stay in the list."))
  }

  // Promise: what was said is about tables or columns that are gone → it is in nobody's way, and still
  // listed to be taken back.
  @Test func whatIsSaidOfTablesThatAreGoneIsInNobodysWay() async throws {
    let file = try TemporaryFile(Self.sql)
    let folder = try TemporaryDirectory()
    var said = SchemaAnnotations()
    said.setLabel(["nothing"], of: "people")
    said.setLabel(["a"], of: "gone")
    said.setHidden(true, "gone")
    said.setUnit("kg", of: "gone", in: "people")
    said.setType("BOOLEAN", of: "gone", in: "people")
    said.setRelationship(
      .accepted, of: "about", in: "notes", to: .init(table: "gone", column: "id"))
    try #require(AnnotationsFile(of: KeptSubject(store: file.url), in: folder.url)).write(said)
    let browser = try await browse(file, "people", state: folder.url)
    browser.expectShown("people Ann Smith")
    #expect(browser.entities.count == 5)
    await browser.press("gm")
    browser.expectShown("objects of gone are named by a (not in this file now)")
  }

  @Test func everythingThatIsSaidIsKeptAndTakenBack() throws {
    var said = SchemaAnnotations()
    said.setLabel(["a", "b"], of: "t")
    said.setUnit("kg", of: "c", in: "t")
    said.setType("BOOLEAN", of: "d", in: "t")
    said.setHidden(true, "u")
    said.setDates(.plain, of: "e", in: "t")
    said.setRelationship(.refused, of: "f", in: "t", to: .init(table: "u", column: "id"))
    let again = try JSONDecoder().decode(
      SchemaAnnotations.self, from: JSONEncoder().encode(said))
    #expect(again == said)
    #expect(said.statements.count == 6)
    // Files of before say nothing of these.
    let old = try JSONDecoder().decode(SchemaAnnotations.self, from: Data("{\"dates\":{}}".utf8))
    #expect(old.isEmpty)
    for statement in said.statements { said.takeBack(statement) }
    #expect(said.isEmpty)
  }

  // Promise: a column is said to refer to itself → refused, and not offered.
  @Test func aColumnDoesNotReferToItself() async throws {
    let file = try TemporaryFile("CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER)")
    let browser = try await BrowserDriver(file, annotations: SchemaAnnotations())
    await browser.go(to: "id")
    await browser.press("%")
    browser.expectShown("Meaning of t.id")
    #expect(browser.browser.state.overlay(as: MeaningForm.self)?.references.isEmpty == true)
    await browser.press("esc", ":")
    await browser.type("column-meaning refers t.id")
    await browser.press("enter")
    browser.expectShown("t.id cannot refer to itself.")
    await browser.press("esc")
    await browser.go(to: "up")
    await browser.press("%", "down", "down", "down", "tab", "enter")
    #expect(browser.status.contains("t.up is a relationship to t now."))
  }
}
