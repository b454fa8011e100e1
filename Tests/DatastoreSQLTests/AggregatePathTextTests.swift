import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Counts and sums over a to-many relationship are a query of their own.
@Suite("Aggregates of related rows as SQL")
struct AggregatePathTextTests {
  private let wordings = Wordings()

  @Test func count() throws {
    try wordings.expectKeys(
      where: "tasks.@count > 1",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`) > ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT count("t2"."_id") FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner") >
          $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """)
  }

  @Test func countOfNone() throws {
    try wordings.expectKeys(
      where: "tags.@count == 0",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE
          `t0`.`_id` = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags`) = ?
        ORDER BY `t0`.`_id`
        ← 0
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT count("t2"."_id") FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2"
          WHERE "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags") = $1::int8
        ORDER BY "t0"."_id"
        ← 0
        """)
  }

  @Test func countOfSome() throws {
    try wordings.expectKeys(
      where: "tags.@count > 0",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE
          `t0`.`_id` = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags`) > ?
        ORDER BY `t0`.`_id`
        ← 0
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT count("t2"."_id") FROM "Employee_tags" AS "t1" CROSS JOIN "Tag" AS "t2"
          WHERE "t0"."_id" = "t1"."Employee" AND "t2"."_id" = "t1"."tags") > $1::int8
        ORDER BY "t0"."_id"
        ← 0
        """)
  }

  @Test func countBesideColumn() throws {
    try wordings.expectKeys(
      where: "tasks.@count > age",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`) >
          +`t0`.`age`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT count("t2"."_id") FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner") >
          "t0"."age"
        ORDER BY "t0"."_id"
        """)
  }

  @Test func sum() throws {
    try wordings.expectKeys(
      where: "tasks.@sum.estimate == 8",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT datastore_sum(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`) = ?
        ORDER BY `t0`.`_id`
        ← 8
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT sum("t2"."estimate"::int8) FROM "Task" AS "t2" WHERE "t0"."_id" =
          "t2"."owner") = $1::text::numeric
        ORDER BY "t0"."_id"
        ← “8”
        """)
  }

  @Test func greatest() throws {
    try wordings.expectKeys(
      where: "tasks.@max.estimate < 8",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT max(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`)
          < ?
        ORDER BY `t0`.`_id`
        ← 8
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT max("t2"."estimate") FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner")
          < $1::int8
        ORDER BY "t0"."_id"
        ← 8
        """)
  }

  @Test func least() throws {
    try wordings.expectKeys(
      where: "tasks.@min.estimate >= 1",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT min(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`)
          >= ?
        ORDER BY `t0`.`_id`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT min("t2"."estimate") FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner")
          >= $1::int8
        ORDER BY "t0"."_id"
        ← 1
        """)
  }

  @Test func average() throws {
    try wordings.expectKeys(
      where: "tasks.@avg.estimate > 2",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE (SELECT datastore_average(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`) > ?
        ORDER BY `t0`.`_id`
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE (SELECT NULLIF(sum("t2"."estimate"::int8)::float8 /
          NULLIF(count("t2"."estimate"::int8), 0), 'NaN') FROM "Task" AS "t2" WHERE "t0"."_id" =
          "t2"."owner") > $1::float8
        ORDER BY "t0"."_id"
        ← 2.0
        """)
  }

  @Test func countThroughToOne() throws {
    try wordings.expectKeys(
      of: "Task", where: "owner.tags.@count == 2",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Task` AS `t0`
        LEFT JOIN `Employee` AS `t1` ON `t1`.`_id` = `t0`.`owner`
        WHERE (SELECT count(`t3`.`_id`) FROM `Employee_tags` AS `t2` JOIN `Tag` AS `t3` WHERE
          `t1`.`_id` = `t2`.`Employee` AND `t3`.`_id` = `t2`.`tags`) = ?
        ORDER BY `t0`.`_id`
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Task" AS "t0"
        LEFT JOIN "Employee" AS "t1" ON "t1"."_id" = "t0"."owner"
        WHERE (SELECT count("t3"."_id") FROM "Employee_tags" AS "t2" CROSS JOIN "Tag" AS "t3"
          WHERE "t1"."_id" = "t2"."Employee" AND "t3"."_id" = "t2"."tags") = $1::int8
        ORDER BY "t0"."_id"
        ← 2
        """)
  }

  @Test func attributeOfAnyBesideOwn() throws {
    try wordings.expectKeys(
      where: "ANY tasks.estimate > age",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`estimate` > `t0`.`age`)
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE EXISTS (SELECT 1 FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner" AND
          "t2"."estimate" > "t0"."age")
        ORDER BY "t0"."_id"
        """)
  }
}
