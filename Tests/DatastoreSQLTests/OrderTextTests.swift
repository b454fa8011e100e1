import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// NULL is less than every value in both engines, and the key comes last, so that an order is always the
/// same.
@Suite("Orders as SQL")
struct OrderTextTests {
  private let wordings = Wordings()

  @Test func byKey() throws {
    try wordings.expectOrder(
      "",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."_id"
        """)
  }

  @Test func ascending() throws {
    try wordings.expectOrder(
      "age",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."age" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func descending() throws {
    try wordings.expectOrder(
      "age desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age` DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."age" DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func two() throws {
    try wordings.expectOrder(
      "age desc, name",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age` DESC, `t0`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."age" DESC NULLS LAST, "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  /// Byte by byte.
  @Test func byText() throws {
    try wordings.expectOrder(
      "name",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func byTextWithoutCase() throws {
    try wordings.expectOrder(
      "name[c]",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY datastore_fold(`t0`.`name`, 1), `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN
          lower("t0"."name" COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ',
          'i̇'), $1::text, $2::text) END) COLLATE "C" NULLS FIRST, "t0"."_id"
        ← many letters, many letters
        """)
  }

  @Test func byTextWithoutBoth() throws {
    try wordings.expectOrder(
      "name[cd] desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY datastore_fold(`t0`.`name`, 3) DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN
          lower("t0"."name" COLLATE "C") ELSE
          normalize(regexp_replace(normalize(translate(replace("t0"."name" COLLATE "C", 'İ',
          'i̇'), $1::text, $2::text) COLLATE "C", NFD), $3::text, '', 'g'), NFC) END) COLLATE "C"
          DESC NULLS LAST, "t0"."_id"
        ← many letters, many letters, many letters
        """)
  }

  @Test func byDecimal() throws {
    try wordings.expectOrder(
      "bonus desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY datastore_decimal(`t0`.`bonus`) DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."bonus" DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func byTruth() throws {
    try wordings.expectOrder(
      "done", of: "Task",
      sqlite: """
        FROM `Task` AS `t0`
        ORDER BY `t0`.`done`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Task" AS "t0"
        ORDER BY "t0"."done" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func throughToOne() throws {
    try wordings.expectOrder(
      "company.name desc, age",
      sqlite: """
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t1`.`name` DESC, `t0`.`age`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        ORDER BY "t1"."name" COLLATE "C" DESC NULLS LAST, "t0"."age" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func byToOne() throws {
    try wordings.expectOrder(
      "company",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`company`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."company" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func throughTwo() throws {
    try wordings.expectOrder(
      "owner.company.name", of: "Task",
      sqlite: """
        FROM `Task` AS `t0`
        LEFT JOIN `Employee` AS `t1` ON `t1`.`_id` = `t0`.`owner`
        LEFT JOIN `Company` AS `t2` ON `t2`.`_id` = `t1`.`company`
        ORDER BY `t2`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Task" AS "t0"
        LEFT JOIN "Employee" AS "t1" ON "t1"."_id" = "t0"."owner"
        LEFT JOIN "Company" AS "t2" ON "t2"."_id" = "t1"."company"
        ORDER BY "t2"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func byCount() throws {
    try wordings.expectOrder(
      "tasks.@count desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`)
          DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (SELECT count("t2"."_id") FROM "Task" AS "t2" WHERE "t0"."_id" = "t2"."owner")
          DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func bySum() throws {
    try wordings.expectOrder(
      "tasks.@sum.estimate",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY (SELECT datastore_sum(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`), `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (SELECT sum("t2"."estimate"::int8) FROM "Task" AS "t2" WHERE "t0"."_id" =
          "t2"."owner") NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func byGreatest() throws {
    try wordings.expectOrder(
      "tasks.@max.estimate desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY (SELECT max(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`) DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (SELECT max("t2"."estimate") FROM "Task" AS "t2" WHERE "t0"."_id" =
          "t2"."owner") DESC NULLS LAST, "t0"."_id"
        """)
  }

  /// Missing values are not unique.
  @Test func byAUniqueAttribute() throws {
    try wordings.expectOrder(
      "email",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`email`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."email" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func requiredAttribute() throws {
    try wordings.expectOrder(
      "name", of: "Company",
      sqlite: """
        FROM `Company` AS `t0`
        ORDER BY `t0`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Company" AS "t0"
        ORDER BY "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func theSameTwice() throws {
    try wordings.expectOrder(
      "age, age desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age`, `t0`.`age` DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY "t0"."age" NULLS FIRST, "t0"."age" DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func byAnExpression() throws {
    try wordings.expectOrder(
      "age + salary desc",
      sqlite: """
        FROM `Employee` AS `t0`
        ORDER BY (`t0`.`age` + `t0`.`salary`) DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Employee" AS "t0"
        ORDER BY (NULLIF("t0"."age"::int8::float8 + "t0"."salary"::float8::float8,
          'NaN'::float8)) DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func window() throws {
    try wordings.expectKeys(
      limit: 2,
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        LIMIT ?
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."_id"
        LIMIT $1::int8
        ← 2
        """)
  }

  @Test func windowBehindOthers() throws {
    try wordings.expectKeys(
      order: "name", offset: 1, limit: 2,
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`name`, `t0`.`_id`
        LIMIT ?
        OFFSET ?
        ← 2, 1
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        LIMIT $1::int8
        OFFSET $2::int8
        ← 2, 1
        """)
  }

  @Test func allBehindOthers() throws {
    try wordings.expectKeys(
      offset: 3,
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        LIMIT ?
        OFFSET ?
        ← -1, 3
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."_id"
        OFFSET $1::int8
        ← 3
        """)
  }

  @Test func pageBehindAKey() throws {
    try wordings.expectKeys(
      where: "SELF > 2", limit: 2,
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`_id` > ?
        ORDER BY `t0`.`_id`
        LIMIT ?
        ← 2, 2
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."_id" > $1::int8
        ORDER BY "t0"."_id"
        LIMIT $1::int8
        ← 2
        """)
  }

  @Test func orderedAndFiltered() throws {
    try wordings.expectKeys(
      where: "age > 20", order: "name",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` > ?
        ORDER BY `t0`.`name`, `t0`.`_id`
        ← 20
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."age" > $1::int8
        ORDER BY "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        ← 20
        """)
  }

  @Test func presentColumnInAnOrder() throws {
    try wordings.expectKeys(
      where: "age != NULL", order: "age",
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` IS NOT NULL
        ORDER BY `t0`.`age`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."age" IS NOT NULL
        ORDER BY "t0"."age" NULLS FIRST, "t0"."_id"
        """)
  }
}
