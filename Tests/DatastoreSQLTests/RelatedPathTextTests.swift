import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// They ask whether such rows exist: no row is found twice.
@Suite("Conditions on related rows as SQL")
struct RelatedPathTextTests {
  private let wordings = Wordings()

  @Test func any() throws {
    try wordings.expectKeys(
      where: "ANY tasks.estimate > 4",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`estimate` > ?)
        ORDER BY `t0`.`_id`
        ← 4
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."estimate" > $1::int8)
        ORDER BY "t0"."_id"
        ← 4
        """)
  }

  @Test func all() throws {
    try wordings.expectKeys(
      where: "ALL tasks.done == YES",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE NOT EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          ((`t2`.`done` = ?) IS NOT TRUE))
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE NOT EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          (("t2"."done" = TRUE) IS NOT TRUE))
        ORDER BY "t0"."_id"
        """)
  }

  @Test func none() throws {
    try wordings.expectKeys(
      where: "NONE tasks.title == \"plan\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE NOT EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`title` = ?)
        ORDER BY `t0`.`_id`
        ← “plan”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE NOT EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."title" COLLATE "C" = $1::text)
        ORDER BY "t0"."_id"
        ← “plan”
        """)
  }

  @Test func anyOfPairs() throws {
    try wordings.expectKeys(
      where: "ANY tags.label == \"red\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE `t0`.`_id`
          = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags` AND `t2`.`label` = ?)
        ORDER BY `t0`.`_id`
        ← “red”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2" WHERE
          "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags" AND "t2"."label" COLLATE "C"
          = $1::text)
        ORDER BY "t0"."_id"
        ← “red”
        """)
  }

  @Test func anyOfPairsFromTheOtherSide() throws {
    try wordings.expectKeys(
      of: "Tag", where: "ANY employees.name == \"Cyd\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Tag` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Employee` AS `t2` WHERE
          `t0`.`_id` = `t1`.`tags` AND `t2`.`_id` = `t1`.`Employee` AND `t2`.`name` = ?)
        ORDER BY `t0`.`_id`
        ← “Cyd”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Tag" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Employee_tags" AS "t1" CROSS JOIN "Employee" AS "t2" WHERE
          "t0"."_id" = "t1"."tags" AND "t2"."_id" = "t1"."Employee" AND "t2"."name" COLLATE "C"
          = $1::text)
        ORDER BY "t0"."_id"
        ← “Cyd”
        """)
  }

  @Test func allOfPairs() throws {
    try wordings.expectKeys(
      where: "ALL tags.label == \"red\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE NOT EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE
          `t0`.`_id` = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags` AND ((`t2`.`label` = ?) IS
          NOT TRUE))
        ORDER BY `t0`.`_id`
        ← “red”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE NOT EXISTS (SELECT 1 FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2" WHERE
          "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags" AND (("t2"."label" COLLATE
          "C" = $1::text) IS NOT TRUE))
        ORDER BY "t0"."_id"
        ← “red”
        """)
  }

  @Test func anyThroughTwo() throws {
    try wordings.expectKeys(
      of: "Company", where: "ANY employees.tasks.title == \"test\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Company` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee` AS `t2` JOIN `Task` AS `t4` WHERE `t0`.`_id` =
          `t2`.`company` AND `t2`.`_id` = `t4`.`owner` AND `t4`.`title` = ?)
        ORDER BY `t0`.`_id`
        ← “test”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Company" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Employee" AS "t2" CROSS JOIN "Task" AS "t4" WHERE
          "t0"."_id" = "t2"."company" AND "t2"."_id" = "t4"."owner" AND "t4"."title" COLLATE "C"
          = $1::text)
        ORDER BY "t0"."_id"
        ← “test”
        """)
  }

  @Test func anyThroughToOne() throws {
    try wordings.expectKeys(
      where: "ANY tasks.owner.name == \"Ann\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` LEFT JOIN `Employee` AS `t3` ON `t3`.`_id` =
          `t2`.`owner` WHERE `t0`.`_id` = `t2`.`owner` AND `t3`.`name` = ?)
        ORDER BY `t0`.`_id`
        ← “Ann”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Task" AS "t2" LEFT JOIN "Employee" AS "t3" ON "t3"."_id" =
          "t2"."owner" WHERE "t0"."_id" = "t2"."owner" AND "t3"."name" COLLATE "C" = $1::text)
        ORDER BY "t0"."_id"
        ← “Ann”
        """)
  }

  @Test func anyMember() throws {
    try wordings.expectKeys(
      where: "ANY tags == 1",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE `t0`.`_id`
          = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags` AND `t2`.`_id` = ?)
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2" WHERE
          "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags" AND "t2"."_id" = $1::int8)
        ORDER BY "t0"."_id"
        ← 1
        """)
  }

  @Test func valueInPath() throws {
    try wordings.expectKeys(
      where: "\"red\" IN tags.label",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE `t0`.`_id`
          = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags` AND `t2`.`label` = ?)
        ORDER BY `t0`.`_id`
        ← “red”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2" WHERE
          "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags" AND "t2"."label" COLLATE "C"
          = $1::text)
        ORDER BY "t0"."_id"
        ← “red”
        """)
  }

  @Test func anyOf() throws {
    try wordings.expectKeys(
      where: "ANY tasks.title IN {\"plan\", \"test\"}",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          (`t2`.`title` IN (?, ?)))
        ORDER BY `t0`.`_id`
        ← “plan”, “test”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          ("t2"."title" COLLATE "C" IN ($1::text, $2::text)))
        ORDER BY "t0"."_id"
        ← “plan”, “test”
        """)
  }

  @Test func anyMissing() throws {
    try wordings.expectKeys(
      where: "ANY tasks.title == NULL",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`title` IS NULL)
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."title" IS NULL)
        ORDER BY "t0"."_id"
        """)
  }

  @Test func notAny() throws {
    try wordings.expectKeys(
      where: "NOT ANY tasks.estimate > 4",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE ((EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`estimate` > ?)) IS NOT TRUE)
        ORDER BY `t0`.`_id`
        ← 4
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE ((EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."estimate" > $1::int8)) IS NOT TRUE)
        ORDER BY "t0"."_id"
        ← 4
        """)
  }

  @Test func two() throws {
    try wordings.expectKeys(
      where: "ANY tasks.estimate > 4 AND ANY tags.label == \"red\"",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`estimate` > ?) AND EXISTS (SELECT 1 FROM `Employee_tags` AS `t3` JOIN `Tag` AS
          `t4` WHERE `t0`.`_id` = `t3`.`Employee` AND `t4`.`_id` = `t3`.`tags` AND `t4`.`label`
          = ?))
        ORDER BY `t0`.`_id`
        ← 4, “red”
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."estimate" > $1::int8) AND EXISTS (SELECT 1 FROM "Employee_tags" AS "t3" CROSS
          JOIN "Tag" AS "t4" WHERE "t0"."_id" = "t3"."Employee" AND "t4"."_id" = "t3"."tags" AND
          "t4"."label" COLLATE "C" = $2::text))
        ORDER BY "t0"."_id"
        ← 4, “red”
        """)
  }
}
