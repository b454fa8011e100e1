import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

@Suite("Examining Core Data stores") struct CoreDataExaminationTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("Office.sqlite")
  }

  private func findings(_ change: (inout CoreDataSample) -> Void = { _ in }, _ sql: String = "")
    throws -> [FileExamination.Finding]
  {
    var sample = CoreDataSample.office()
    change(&sample)
    try sample.write(to: url)
    if !sql.isEmpty { try SQLiteFile.make(at: url, sql) }
    // A process that another test starts has the files of this one open until its program is loaded.
    return try FileExamination(of: url).findings.filter { $0.topic != "open in" }
  }

  @Test("A store that Core Data has written is well", arguments: [false, true])
  func sound(hasHistory: Bool) throws {
    let findings = try findings {
      $0.hasHistory = hasHistory
      $0.writing = hasHistory ? .withProxies : .plain
    }
    let topics = ["made by", "model", "objects", "values"]
    #expect(
      findings.filter { topics.contains($0.topic) }.map(\.text) == [
        "Core Data, framework version 1509, with \(hasHistory ? 12 : 9) entities",
        "every entity and property of it has its place in the file",
        "ok: counters, entities, references, orders and pairs agree",
      ])
    #expect(findings.allSatisfy { $0.weight == .fact }, "\(findings.filter { $0.weight != .fact })")
  }

  @Test(
    "Each broken rule is found, with the rows that break it",
    arguments: [
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Person'",
        "2 rows of ZPERSON (rows 3 to 4): the key is above the counter of Person in Z_PRIMARYKEY"
      ),
      (
        "UPDATE ZPERSON SET Z_ENT = 5 WHERE Z_PK = 4",
        "a row of ZPERSON (row 4): of no entity that has rows there (Z_ENT)"
      ),
      (
        "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 2",
        "a row of ZTAG (row 2): of no entity that has rows there (Z_ENT)"
      ),
      (
        "UPDATE ZPERSON SET ZCOMPANY = 7 WHERE Z_PK = 4",
        "a row of ZPERSON (row 4): Person.company leads to no Company"
      ),
      (
        "UPDATE ZPERSON SET ZBOSS = 2 WHERE Z_PK = 3",
        "a row of ZPERSON (row 3): Employee.boss leads to no Manager"
      ),
      (
        "UPDATE ZPERSON SET Z5_SPOUSE = 7 WHERE Z_PK = 1",
        "a row of ZPERSON (row 1): Z5_SPOUSE is not the entity of what Person.spouse leads to"
      ),
      (
        "UPDATE ZADDRESS SET ZCOMPANY = NULL",
        "a row of ZCOMPANY (row 1): what Company.seat leads to does not lead back"
      ),
      (
        "UPDATE ZPERSON SET Z_FOK_BOSS = NULL WHERE Z_PK = 3",
        "a row of ZPERSON (row 3): Z_FOK_BOSS has a place where ZBOSS leads nowhere, or none where it leads somewhere"
      ),
      (
        "INSERT INTO Z_5TAGS (Z_5PEOPLE, Z_9TAGS) VALUES (2, 99)",
        "a row of Z_5TAGS (row 2): Z_9TAGS leads to no Tag, as Person.tags has it"
      ),
      (
        "INSERT INTO Z_5TAGS (Z_5PEOPLE, Z_9TAGS) VALUES (77, 1)",
        "a row of Z_5TAGS (row 1): Z_5PEOPLE leads to no Person, as Tag.people has it"
      ),
    ])
  func brokenRules(sql: String, text: String) throws {
    let found = try findings({ _ in }, sql).filter { $0.weight == .attention }
    #expect(found.map(\.text) == [text])
    #expect(found.allSatisfy { $0.advice != nil })
  }

  @Test(
    "History that does not fit what is there is found",
    arguments: [
      (
        "UPDATE ACHANGE SET ZCOLUMNS = NULL WHERE Z_PK = 2",
        "a row of ACHANGE (row 2): an update without what was changed, or another change with it"
      ),
      (
        "UPDATE ACHANGE SET ZENTITYPK = 3 WHERE Z_PK = 3",
        "a row of ACHANGE (row 3): a deletion of what Person still has"
      ),
      (
        "UPDATE ACHANGE SET ZTRANSACTIONID = 9 WHERE Z_PK = 1",
        "a row of ACHANGE (row 1): CHANGE.transactionID leads to no TRANSACTION"
      ),
    ])
  func brokenHistory(sql: String, text: String) throws {
    let found = try findings({ $0.hasHistory = true }, sql).filter { $0.weight == .attention }
    #expect(found.map(\.text) == [text])
  }

  @Test("An order without a place in a table of pairs is found")
  func brokenPairOrder() throws {
    let found = try findings({ _ in }, "UPDATE Z_9CHILDREN SET Z_FOK_9CHILDREN = NULL")
    #expect(
      found.filter { $0.weight == .attention }.map(\.text) == [
        "2 rows of Z_9CHILDREN (rows 1 to 1): Z_FOK_9CHILDREN has no place for the objects that it orders"
      ])
  }

  @Test("Without a model, keys and references are looked at as they are guessed")
  func guessed() throws {
    let found = try findings(
      { $0.cache = .absent }, "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Person'")
    #expect(found.filter { $0.weight == .attention }.map(\.topic) == ["objects"])
  }

  @Test("A value whose file is gone is missed, until the file is there")
  func externalValue() throws {
    let name = "0AE5F3B1-7F7B-4C68-9B0B-2C4D9B6C1D11"
    let bytes = [2] + Array(name.utf8) + [0]
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let sql = "UPDATE ZPERSON SET ZPHOTO = x'\(hex)' WHERE Z_PK = 1"
    let found = try findings({ _ in }, sql).filter { $0.weight == .attention }
    #expect(found.map(\.topic) == ["values"])
    try folder.write("content", to: ".Office_SUPPORT/_EXTERNAL_DATA/\(name)")
    let complete = try FileExamination(of: url).findings.filter { $0.topic != "open in" }
    #expect(complete.allSatisfy { $0.weight == .fact })
  }

  @Test("A model that cannot be read is told")
  func withoutModel() throws {
    let damaged = try findings { $0.cache = .bytes([0]) }.filter { $0.weight == .attention }
    #expect(damaged.map(\.topic) == ["model"])
  }
}
