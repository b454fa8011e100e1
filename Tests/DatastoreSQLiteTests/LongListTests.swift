import DatastoreCore
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// Lists that are read in windows, against the same lists read as a whole.
@Suite("Lists longer than memory")
struct LongListTests {
  /// Values that come many times, are missing, or are of several classes.
  private func file() throws -> ForeignFile {
    try ForeignFile(
      """
      CREATE TABLE thing (id INTEGER PRIMARY KEY, size REAL, name TEXT, kind INTEGER NOT NULL, any_value);
      CREATE INDEX thing_kind ON thing (kind);
      CREATE INDEX thing_size ON thing (size);
      CREATE INDEX thing_name ON thing (name);
      CREATE INDEX thing_any ON thing (any_value);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO thing SELECT i * 7 - 1000, nullif((i * 7919) % 97, 5) / 2.0,
        CASE WHEN i % 5 > 0 THEN char(65 + (i * 31) % 58) || (i * 101) % 89 END, i % 10,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i % 7 WHEN 2 THEN i % 7 + 0.5 WHEN 3 THEN 't' || i % 9
          ELSE CAST(i % 4 AS BLOB) END FROM n;
      CREATE TABLE code (name TEXT PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO code SELECT 'c' || id FROM thing;
      """)
  }

  private let paths = [["size"], ["name"], ["kind"], ["any_value"], ["id"], []]

  @Test("Windows before and after any row have what the whole list has there")
  func windows() throws {
    let store = try file().open()
    for round in RandomCases.rounds(of: 50) {
      var agreement = WindowAgreement(store, seed: RandomCases.seed(round))
      let descriptors = (0..<agreement.random.below(4)).map { _ in
        SortDescriptor(
          paths[agreement.random.below(paths.count)],
          ascending: Bool.random(using: &agreement.random))
      }
      var request = FetchRequest(entity: "thing", sortDescriptors: descriptors)
      if Bool.random(using: &agreement.random) {
        request.predicate = .comparison(.init(.keyPath(["kind"]), .lessThan, .value(6)))
      }
      let group = Bool.random(using: &agreement.random) ? paths[agreement.random.below(4)] : nil
      let fault = try agreement.fault(of: request, groupBy: group, windows: 13)
      #expect(fault == nil)
    }
  }

  @Test(
    "A list is read as a whole up to its limit, and beyond that as its beginning and its sections")
  func limits() throws {
    let store = try file().open()
    let entity = try #require(store.schema.entity(named: "thing"))
    func list(
      by path: String?, group: [String]? = nil, most: Int, wasLonger: Bool = false
    ) throws -> (long: KeyList, whole: KeyList) {
      let order = path.map { [SortDescriptor([$0])] } ?? []
      let whole = KeyListQuestion(
        FetchRequest(entity: "thing", sortDescriptors: order), groupBy: group)
      let keyset = KeysetOrder((group.map { [SortDescriptor($0)] } ?? []) + order, of: entity)
      return (
        try store.answer(
          LongListQuestion(whole, in: keyset, mostKeys: most, wasLonger: wasLonger)),
        try store.answer(whole)
      )
    }
    for most in [1_500, 5_000] {
      let (long, whole) = try list(by: "name", group: ["kind"], most: most)
      #expect(long == whole)
      let again = try list(by: nil, most: most, wasLonger: true)
      #expect(again.long == again.whole)
    }
    let (long, whole) = try list(by: "size", group: ["kind"], most: 200)
    #expect(long.keys.count == 1_500)
    #expect(long.sections == whole.sections)
    #expect(long.keys.unreadCount == 1_500 - 201)
    #expect((0...200).allSatisfy { long.keys.readKey(at: $0) == whole.keys[$0] })
    let again = try list(by: nil, most: 200, wasLonger: true)
    #expect(again.long.keys.unreadCount == 1_500)
    #expect(again.long.sections == again.whole.sections)
  }

  @Test("What each window would have to sort, or whose keys are made up, is read as a whole")
  func wholeLists() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 2 FROM n WHERE i < 999)
      INSERT INTO plain SELECT i, 'n' || i FROM n;
      CREATE TABLE code (name TEXT PRIMARY KEY) WITHOUT ROWID;
      INSERT INTO code SELECT name FROM plain;
      """)
    let store = try file.open()
    for (entity, order) in [("plain", [SortDescriptor(["name"])]), ("code", [])] {
      let whole = KeyListQuestion(FetchRequest(entity: entity, sortDescriptors: order))
      let keyset = try KeysetOrder(order, of: #require(store.schema.entity(named: entity)))
      let list = try store.answer(LongListQuestion(whole, in: keyset, mostKeys: 10))
      #expect(list.keys.isRead)
      #expect(list.keys.count == 500)
    }
  }

  @Test("A table whose keys have no gaps is known as a whole, however long it is")
  func unbrokenKeys() throws {
    let file = try ForeignFile(
      """
      CREATE TABLE plain (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n (i) AS (VALUES (5) UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
      INSERT INTO plain SELECT i, 'n' FROM n;
      """)
    let store = try file.open()
    let whole = KeyListQuestion(FetchRequest(entity: "plain"))
    let keyset = try KeysetOrder([], of: #require(store.schema.entity(named: "plain")))
    for most in [100, 150_000, 299_996] {
      let list = try store.answer(LongListQuestion(whole, in: keyset, mostKeys: most))
      #expect(list.keys == KeyChunks(5...300_000))
      #expect(list.sections.map(\.count) == [299_996])
    }
  }

  @Test("A window after a row that is gone is none")
  func rowsThatAreGone() throws {
    let store = try file().open()
    let entity = try #require(store.schema.entity(named: "thing"))
    let order = try #require(KeysetOrder([SortDescriptor(["name"])], of: entity))
    let request = FetchRequest(entity: "thing", sortDescriptors: [SortDescriptor(["name"])])
    #expect(
      try store.answer(KeyWindowQuestion(request, in: order, after: 123_456, count: 5)) == nil)
  }
}
