import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreSQLite

/// Names of tables and columns are anything at all; in a statement they are between quotes.
@Suite("Names with quotes")
struct QuotedNameTests {
  /// The last of each kind of quote comes before an accent: to Swift the two are one character, and no quote.
  private static let names = [
    "a`b", "`", "``", "a\"b", "a'b", "a]b", "x`\u{301}y", "`\u{20DD}", "x\"\u{301}y", "x'\u{301}",
    "ü`é", "` --", "`;",
  ]

  /// The name as SQLite reads it, made here without the tested code.
  private static func quoted(_ name: String) -> String {
    "\"" + String(decoding: name.utf8.flatMap { $0 == 0x22 ? [$0, $0] : [$0] }, as: UTF8.self)
      + "\""
  }

  // Promise: a name has a quote in it, also with an accent behind it → doubled by scalars, read, searched
  // and written.
  @Test("A table and a column of any name are read, searched and written", arguments: names)
  func anyName(name: String) throws {
    let quoted = Self.quoted(name)
    let file = try ForeignFile(
      """
      CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT);
      INSERT INTO \(quoted) VALUES (1, 'one'), (2, 'two');
      """)
    let store = try file.open()
    let entity = try #require(store.schema.entities.first)
    #expect(Array(entity.name.utf8) == Array(name.utf8))
    let slot = try #require(entity.slots.first { entity.properties[$0].name == name })
    let page = try #require(
      try store.fetch(
        FetchRequest(
          entity: entity.name,
          predicate: .comparison(.init(.keyPath([name]), .equal, .value(.text("two")))))
      ).first)
    #expect(page.rowCount == 1)
    #expect(page.value(row: 0, slot: slot) == .text("two"))
    let count = try store.update(
      entity: entity.index, where: nil, assigning: [(slot, .text("all"))], unless: nil)
    #expect(count.1 == 2)
    try store.close()
    #expect(
      try SQLiteFile.values("SELECT \(quoted) FROM \(quoted) ORDER BY id", in: file.url)
        == ["all", "all"])
  }
}
