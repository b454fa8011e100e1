import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Quotes inside of names are doubled, whatever else is in them.
@Suite("Names that are hard to write as SQL")
struct HostileNameTextTests {
  private let wordings = Wordings(Wordings.hostile)

  /// Rows in which an attribute is 1, or that are ordered by it.
  private func request(where condition: Int? = nil, order: Int? = nil) throws -> FetchRequest {
    let names = Wordings.hostileNames
    return FetchRequest(
      entity: Wordings.hostileName,
      predicate: condition.map {
        .comparison(.init(.keyPath([names[$0]]), .equal, .value(.integer(1))))
      },
      sortDescriptors: order.map { [SortDescriptor([names[$0]])] } ?? [])
  }

  @Test func column() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        WHERE `t0`.`b"c` = ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        WHERE "t0"."b""c" = $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """
    ) {
      try $0.keys(try request(where: 0))
    }
  }

  @Test func columnInAnOrder() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        ORDER BY `t0`.`b"c`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        ORDER BY "t0"."b""c" NULLS FIRST, "t0"."_id"
        """
    ) {
      try $0.keys(try request(order: 0))
    }
  }

  @Test func backtick() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        WHERE `t0`.`d``e` = ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        WHERE "t0"."d`e" = $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """
    ) {
      try $0.keys(try request(where: 1))
    }
  }

  @Test func keyword() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        WHERE `t0`.`select` = ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        WHERE "t0"."select" = $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """
    ) {
      try $0.keys(try request(where: 2))
    }
  }

  @Test func blank() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        WHERE `t0`.`f g` = ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        WHERE "t0"."f g" = $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """
    ) {
      try $0.keys(try request(where: 3))
    }
  }

  @Test func parameterLike() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `a"; DROP TABLE x; --` AS `t0`
        WHERE `t0`.`$1 ?1` = ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "a""; DROP TABLE x; --" AS "t0"
        WHERE "t0"."$1 ?1" = $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """
    ) {
      try $0.keys(try request(where: 4))
    }
  }

  @Test func wholeRow() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`b"c`, `t0`.`d``e`, `t0`.`select`, `t0`.`f g`, `t0`.`$1 ?1`
        FROM `a"; DROP TABLE x; --` AS `t0`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."b""c", "t0"."d`e", "t0"."select", "t0"."f g", "t0"."$1 ?1"
        FROM "a""; DROP TABLE x; --" AS "t0"
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.rows(FetchRequest(entity: Wordings.hostileName))
    }
  }

  @Test func sections() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`d``e`, count(*)
        FROM `a"; DROP TABLE x; --` AS `t0`
        GROUP BY `t0`.`d``e`
        ORDER BY `t0`.`d``e`
        """,
      postgreSQL: """
        SELECT "t0"."d`e", count(*)
        FROM "a""; DROP TABLE x; --" AS "t0"
        GROUP BY "t0"."d`e"
        ORDER BY "t0"."d`e" NULLS FIRST
        """
    ) {
      try $0.sections(FetchRequest(entity: Wordings.hostileName), by: [Wordings.hostileNames[1]])
    }
  }

  @Test func declaration() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "a""; DROP TABLE x; --" ("_id" INTEGER PRIMARY KEY, "b""c" INTEGER, "d`e"
          INTEGER, "select" INTEGER, "f g" INTEGER, "$1 ?1" INTEGER)
        """,
      postgreSQL: """
        CREATE TABLE "a""; DROP TABLE x; --" ("_id" bigint PRIMARY KEY, "b""c" bigint, "d`e"
          bigint, "select" bigint, "f g" bigint, "$1 ?1" bigint)
        """
    ) {
      try #require(NativeTables(mapping: $0.mapping).statements.first)
    }
  }

  @Test func index() throws {
    try wordings.expect(
      sqlite: """
        CREATE INDEX IF NOT EXISTS "a""; DROP TABLE x; --_b""c_index" ON "a""; DROP TABLE x; --"
          ("b""c")
        """,
      postgreSQL: """
        CREATE INDEX IF NOT EXISTS "a""; DROP TABLE x; --_b""c_index" ON "a""; DROP TABLE x; --"
          ("b""c" NULLS FIRST, "_id")
        """
    ) {
      try #require(NativeTables(mapping: $0.mapping).indexes.first)
    }
  }
}
