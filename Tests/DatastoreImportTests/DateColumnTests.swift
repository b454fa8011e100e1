import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreImport

@Suite("Dates in files of rows")
struct DateColumnTests {
  /// The rows of a table as the sqlite3 program reads them.
  private static func read(_ fixture: LoadFixture, _ sql: String) throws -> String {
    try SQLiteFile.output(of: sql, at: fixture.store)
  }

  @Test(
    "Days are stored as ISO text, which other tools read",
    arguments: [
      ("1872-11-30\n2024-05-01\n", "1872-11-30 2024-05-01"),
      ("31.12.2024\n1.2.2024\n", "2024-12-31 2024-02-01"),
      ("2001/01/01\n2001/12/31\n", "2001-01-01 2001-12-31"),
      ("1/2/2024\n13/2/2024\n", "2024-02-01 2024-02-13"),
      ("1/2/2024\n2/13/2024\n", "2024-01-02 2024-02-13"),
      ("2024-05-01\n1-2-2024\n30-1-2024\n", "2024-05-01 2024-02-01 2024-01-30"),
    ])
  func days(lines: String, expected: String) async throws {
    for isForeign in [false, true] { try await days(lines, expected, isForeign: isForeign) }
  }

  private func days(_ lines: String, _ expected: String, isForeign: Bool) async throws {
    let fixture = try LoadFixture()
    if isForeign { try SQLiteFile.make(at: fixture.store, "CREATE TABLE other (x)") }
    let file = try fixture.directory.write("born\n" + lines, to: "t.csv")
    let notes = try await fixture.load([file]).report.notes
    #expect(!notes.joined().contains("month"), "\(notes)")
    let sql = "SELECT group_concat(born, ' '), group_concat(DISTINCT typeof(born)) FROM t"
    #expect(try Self.read(fixture, sql) == "\(expected)|text\n")
    // The same file again, into the existing table.
    try await fixture.load([file])
    #expect(try Self.read(fixture, sql) == "\(expected) \(expected)|text\n")
    let datastore = try SwiftDatastore(opening: fixture.store, readOnly: true)
    let attribute = datastore.schema.entity(named: "t")?.properties[0].attribute
    #expect(isForeign || attribute?.type == .calendarDate)
    #expect(!isForeign || attribute?.declaredType == "DATE")
    let context = datastore.newContext()
    let late = try await context.perform { context in
      let entity = try #require(datastore.schema.entity(named: "t"))
      let predicate = try Predicate.parse(
        "born >= \"2024-02-13\"", entity: entity, in: datastore.schema)
      return try context.core.graph.store.fetch(FetchRequest(entity: "t", predicate: predicate))
        .map(\.rowCount).reduce(0, +)
    }
    #expect(late == 2 * expected.split(separator: " ").count { $0 >= "2024-02-13" })
    try datastore.close()
  }

  @Test("The date that is shown for those that cannot be told apart is one of the column")
  func example() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write("id,born\n1,2024-05-06\n2,1/1/2024\n", to: "t.csv")
    let notes = try await fixture.load([file]).report.notes
    #expect(notes.joined().contains("“born” has dates such as 1/1/2024, and"), "\(notes)")
  }

  @Test("Days and months that cannot be told apart are kept as text, and that is told")
  func ambiguous() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write("id,born\n1,01/02/2024\n2,03/04/2024\n", to: "t.csv")
    let notes = try await fixture.load([file]).report.notes
    #expect(notes.joined().contains("no value shows which number is the month"), "\(notes)")
    #expect(try Self.read(fixture, "SELECT born FROM t") == "01/02/2024\n03/04/2024\n")
    var reading = ReadingOptions()
    reading.dates = .monthFirst
    let plan = try LoadPlan(paths: [file], entity: "u", reading: reading)
    try await fixture.load(plan)
    #expect(try Self.read(fixture, "SELECT born FROM u") == "2024-01-02\n2024-03-04\n")
    // Another column of the same file also shows it.
    let other = try fixture.directory.write(
      "born,died\n01/02/2024,01/02/2024\n13/04/2024,03/04/2024\n", to: "v.csv")
    try await fixture.load([other])
    #expect(
      try Self.read(fixture, "SELECT died FROM v") == "2024-02-01\n2024-04-03\n")
    // A value that is no date in a column declared as dates is a fault.
    let said = try LoadPlan(paths: [file], entity: "w", types: [("born", .date)])
    await #expect(throws: LoadError.self) { try await fixture.load(said) }
  }

  @Test("Times are kept, and a day among moments is midnight")
  func moments() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write("at\n2001-01-01\n1.1.2001 00:01\n", to: "t.csv")
    try await fixture.load([file])
    #expect(try Self.read(fixture, "SELECT at, typeof(at) FROM t") == "0.0|real\n60.0|real\n")
  }

  @Test("A type that is said counts, and one of no column is refused")
  func types() async throws {
    let fixture = try LoadFixture()
    let file = try fixture.directory.write("zip,born\n12345,2024-01-01\n", to: "t.csv")
    let plan = try LoadPlan(paths: [file], types: [("zip", .string), ("born", .string)])
    try await fixture.load(plan)
    #expect(
      try Self.read(fixture, "SELECT zip, typeof(zip), typeof(born) FROM t")
        == "12345|text|text\n")
    let wrong = try LoadPlan(paths: [file], entity: "u", types: [("zap", .string)])
    do {
      try await fixture.load(wrong)
      Issue.record("a type of no column was taken")
    } catch {
      #expect("\(error)".contains("has no column “zap”, of which a type is said; it has zip, born"))
    }
  }

  @Test(
    "A type that a table which is there does not have is refused; the same one is not",
    arguments: [true, false])
  func typesOfExistingTables(isNative: Bool) async throws {
    let fixture = try LoadFixture()
    if !isNative { try SQLiteFile.make(at: fixture.store, "CREATE TABLE other (a)") }
    let file = try fixture.directory.write(
      "n,b,x,y,d,t\n1,true,1.5,0.1,2024-01-01,a\n", to: "t.csv")
    let types: [(column: String, type: ColumnType)] = [
      ("n", .integer), ("b", .boolean), ("x", .double), ("y", .decimal), ("d", .date),
      ("t", .string),
    ]
    for count in 1...2 {
      try await fixture.load(LoadPlan(paths: [file], types: types))
      #expect(try Self.read(fixture, "SELECT count(*) FROM t") == "\(count)\n")
    }
    for (column, type) in [("n", .string), ("x", .integer), ("t", .integer), ("b", .double)]
      as [(String, ColumnType)]
    {
      do {
        try await fixture.load(LoadPlan(paths: [file], types: [(column, type)]))
        Issue.record("\(column) was taken for \(type)")
      } catch {
        #expect(
          "\(error)".contains(
            "“\(column)” is declared as \(type.title), but “t.\(column)” is already there"),
          "\(error)")
      }
    }
    #expect(try Self.read(fixture, "SELECT count(*) FROM t") == "2\n")
  }
}
