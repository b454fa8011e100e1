import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// An entity and its descendants have one table, in which a column names the entity of each row.
@Suite("Families in one table as SQL")
struct FamilyTextTests {
  private let wordings = Wordings(Wordings.family)

  @Test func all() throws {
    try wordings.expectKeys(
      of: "Asset",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        ORDER BY "t0"."_id"
        """)
  }

  @Test func oneOfThem() throws {
    try wordings.expectKeys(
      of: "Laptop",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop')
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Laptop')
        ORDER BY "t0"."_id"
        """)
  }

  @Test func oneOfThemWithACondition() throws {
    try wordings.expectKeys(
      of: "Laptop", where: "memory > 8",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop') AND `t0`.`memory` > ?
        ORDER BY `t0`.`_id`
        ← 8
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Laptop') AND "t0"."memory" > $1::int8
        ORDER BY "t0"."_id"
        ← 8
        """)
  }

  @Test func baseWithACondition() throws {
    try wordings.expectKeys(
      of: "Asset", where: "name == \"van\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        WHERE `t0`.`name` = ?
        ORDER BY `t0`.`_id`
        ← “van”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        WHERE "t0"."name" COLLATE "C" = $1::text
        ORDER BY "t0"."_id"
        ← “van”
        """)
  }

  @Test func descendants() throws {
    try wordings.expectKeys(
      of: "Car",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Car', 'ElectricCar')
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Car', 'ElectricCar')
        ORDER BY "t0"."_id"
        """)
  }

  @Test func ordered() throws {
    try wordings.expectKeys(
      of: "Car", order: "name",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Car', 'ElectricCar')
        ORDER BY `t0`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Car', 'ElectricCar')
        ORDER BY "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func rowsOfAll() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`doors`, `t0`.`range`, `t0`.`memory`,
          `t0`.`_entity`
        FROM `Asset` AS `t0`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."name", "t0"."doors", "t0"."range", "t0"."memory",
          "t0"."_entity"
        FROM "Asset" AS "t0"
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.rows(try wordings.request("Asset"))
    }
  }

  @Test func rowsOfOne() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`memory`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop')
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."name", "t0"."memory"
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Laptop')
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.rows(try wordings.request("Laptop"))
    }
  }

  @Test func oneRow() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`memory`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_id` = ?1 AND `t0`.`_entity` IN ('Laptop')
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."name", "t0"."memory"
        FROM "Asset" AS "t0"
        WHERE "t0"."_id" = $1 AND "t0"."_entity" IN ('Laptop')
        """
    ) {
      $0.row(try wordings.entity("Laptop").index)
    }
  }

  @Test func number() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop')
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Asset" AS "t0"
        WHERE "t0"."_entity" IN ('Laptop')
        """
    ) {
      try $0.count(try wordings.request("Laptop"))
    }
  }

  @Test func numberOfAll() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Asset` AS `t0`
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Asset" AS "t0"
        """
    ) {
      try $0.count(try wordings.request("Asset"))
    }
  }

  @Test func declaration() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "Asset" ("_id" INTEGER PRIMARY KEY, "_entity" TEXT NOT NULL CHECK
          ("_entity" = 'Car' OR "_entity" = 'ElectricCar' OR "_entity" = 'Laptop'), "name" TEXT,
          "doors" INTEGER, "range" REAL, "memory" INTEGER)
        """,
      postgreSQL: """
        CREATE TABLE "Asset" ("_id" bigint PRIMARY KEY, "_entity" text COLLATE "C" NOT NULL
          CHECK ("_entity" = 'Car' OR "_entity" = 'ElectricCar' OR "_entity" = 'Laptop'), "name"
          text COLLATE "C", "doors" bigint, "range" double precision, "memory" bigint)
        """
    ) {
      try #require(NativeTables(mapping: $0.mapping).statements.first)
    }
  }
}
