import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// To-one relationships are joined; conditions on to-many ones ask whether rows exist.
@Suite("Paths as SQL")
struct PathTextTests {
  private let wordings = Wordings()

  @Test func toOne() throws {
    try wordings.expectKeys(
      where: "company.name == \"Acme\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        WHERE `t1`.`name` = ?
        ORDER BY `t0`.`_id`
        ← “Acme”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        WHERE "t1"."name" COLLATE "C" = $1::text
        ORDER BY "t0"."_id"
        ← “Acme”
        """)
  }

  /// A path is joined once.
  @Test func toOneTwice() throws {
    try wordings.expectKeys(
      where: "company.name == \"Acme\" OR company.name == \"Zeta\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        WHERE (`t1`.`name` = ? OR `t1`.`name` = ?)
        ORDER BY `t0`.`_id`
        ← “Acme”, “Zeta”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        WHERE ("t1"."name" COLLATE "C" = $1::text OR "t1"."name" COLLATE "C" = $2::text)
        ORDER BY "t0"."_id"
        ← “Acme”, “Zeta”
        """)
  }

  @Test func toOneMissing() throws {
    try wordings.expectKeys(
      where: "company == NULL",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` IS NULL
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" IS NULL
        ORDER BY "t0"."_id"
        """)
  }

  @Test func toOneIs() throws {
    try wordings.expectKeys(
      where: "company == 2",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` = ?
        ORDER BY `t0`.`_id`
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" = $1::int8
        ORDER BY "t0"."_id"
        ← 2
        """)
  }

  @Test func toOneIsNot() throws {
    try wordings.expectKeys(
      where: "company != 2",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` IS NOT ?
        ORDER BY `t0`.`_id`
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" IS DISTINCT
        FROM $1::int8
        ORDER BY "t0"."_id"
        ← 2
        """)
  }

  @Test func toOneAmong() throws {
    try wordings.expectKeys(
      where: "company IN {1, 2}",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`company` IN (?, ?))
        ORDER BY `t0`.`_id`
        ← 1, 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE ("t0"."company" IN ($1::int8, $2::int8))
        ORDER BY "t0"."_id"
        ← 1, 2
        """)
  }

  /// Also those that have no company.
  @Test func missingAttributeOfToOne() throws {
    try wordings.expectKeys(
      where: "company.name == NULL",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        WHERE `t1`.`name` IS NULL
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        WHERE "t1"."name" IS NULL
        ORDER BY "t0"."_id"
        """)
  }

  @Test func twoSteps() throws {
    try wordings.expectKeys(
      of: "Task", where: "owner.company.name == \"Acme\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Task` AS `t0`
        LEFT JOIN `Employee` AS `t1` ON `t1`.`_id` = `t0`.`owner`
        LEFT JOIN `Company` AS `t2` ON `t2`.`_id` = `t1`.`company`
        WHERE `t2`.`name` = ?
        ORDER BY `t0`.`_id`
        ← “Acme”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Task" AS "t0"
        LEFT JOIN "Employee" AS "t1" ON "t1"."_id" = "t0"."owner"
        LEFT JOIN "Company" AS "t2" ON "t2"."_id" = "t1"."company"
        WHERE "t2"."name" COLLATE "C" = $1::text
        ORDER BY "t0"."_id"
        ← “Acme”
        """)
  }
}
