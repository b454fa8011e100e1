import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// With an option, texts that the stored values do not preserve are kept beside them.
@Suite("Keeping the texts of values")
struct LostTextTests {
  private let fixture: LoadFixture

  init() throws { fixture = try LoadFixture() }

  private func load(_ name: String, _ text: String, key: String? = nil) async throws -> LoadReport {
    let file = try fixture.directory.write(text, to: name)
    var plan = try LoadPlan(paths: [file], entity: "t", key: key)
    plan.keepLostTexts()
    return try await fixture.load(plan).report
  }

  private func rows(_ sql: String) throws -> String {
    try SQLiteCommand.run(sql, on: fixture.store)
  }

  private static let table = """
    id,price,paid,at,day,name,whole
    1,9.50,TRUE,2024-05-01T09:00+02:00,2024-05-01,1.50,1
    2,1.25,false,2024-05-01T07:00:00Z,N/A,x,2
    3,,,,,,

    """

  // Promise: values are loaded with `--keep-text` → every text that they do not give back is beside them.
  @Test(
    "A column has one for its texts where some are lost, and each text that is",
    arguments: [nil, "id"])
  func columns(key: String?) async throws {
    let report = try await load("t.csv", Self.table, key: key)
    #expect(
      try rows("SELECT name FROM pragma_table_info('t') WHERE name <> '_id'").split(separator: "\n")
        .joined(
          separator: " ")
        == "id price price_text paid paid_text at at_text day day_text name whole")
    #expect(
      try rows(
        "SELECT price, price_text, paid, paid_text, at_text, day, day_text FROM t ORDER BY id")
          == """
          9.5|9.50|1|TRUE|2024-05-01T09:00+02:00|2024-05-01|
          1.25||0|||N/A
          ||||||
          """.replacingOccurrences(of: "1.25||0|||N/A", with: "1.25||0||||N/A"))
    #expect(
      report.notes.contains {
        $0.hasSuffix("“price_text” keeps the texts of “price” that its values do not give back.")
      }, "\(report.notes)")
  }

  @Test("A row that is loaded again has the text of its new value, or none")
  func updates() async throws {
    _ = try await load("t.csv", Self.table, key: "id")
    _ = try await load("t.csv", "id,price\n1,2.5\n2,3.0\n", key: "id")
    #expect(
      try rows("SELECT price, price_text, paid_text FROM t WHERE id < 3 ORDER BY id")
        == "2.5||TRUE\n3.0||")
  }

  @Test("Dates in JSON are texts, too; its numbers are none")
  func json() async throws {
    _ = try await load(
      "t.json", #"[{"n": 1.50, "at": "2024-05-01T09:00+02:00"}, {"n": 2, "at": null}]"#)
    #expect(try rows("SELECT n, at_text FROM t ORDER BY n") == "1.5|2024-05-01T09:00+02:00\n2.0|")
    #expect(try rows("SELECT count(*) FROM pragma_table_info('t') WHERE name = 'n_text'") == "0")
  }

  @Test("A file that has a column of that name is not loaded, and a sentence says what to do")
  func collision() async throws {
    let error = await #expect(throws: LoadError.self) {
      _ = try await load("t.csv", "price,price_text\n9.50,x\n")
    }
    #expect("\(try #require(error))".contains("cannot be kept in a column “price_text”"))
    #expect(!fixture.exists)
  }
}
