import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Requests for keys, whole rows, numbers, values, and sections.
@Suite("Requests as SQL")
struct RequestTextTests {
  private let wordings = Wordings()

  @Test func rows() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`title`, `t0`.`done`, `t0`.`estimate`, `t0`.`owner`
        FROM `Task` AS `t0`
        WHERE `t0`.`done` = ?
        ORDER BY `t0`.`_id`
        ← 0
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."title", "t0"."done", "t0"."estimate", "t0"."owner"
        FROM "Task" AS "t0"
        WHERE "t0"."done" = FALSE
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.rows(try wordings.request("Task", "done == NO"))
    }
  }

  @Test func rowsOfAWindow() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`label`
        FROM `Tag` AS `t0`
        ORDER BY `t0`.`label`, `t0`.`_id`
        LIMIT ?
        OFFSET ?
        ← 3, 2
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."label"
        FROM "Tag" AS "t0"
        ORDER BY "t0"."label" COLLATE "C" NULLS FIRST, "t0"."_id"
        LIMIT $1::int8
        OFFSET $2::int8
        ← 3, 2
        """
    ) {
      try $0.rows(try wordings.request("Tag", order: "label", offset: 2, limit: 3))
    }
  }

  @Test func oneRow() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`age`, `t0`.`salary`, `t0`.`email`, `t0`.`photo`,
          `t0`.`bonus`, `t0`.`company`
        FROM `Employee` AS `t0`
        WHERE `t0`.`_id` = ?1
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."name", "t0"."age", "t0"."salary", "t0"."email", "t0"."photo",
          "t0"."bonus", "t0"."company"
        FROM "Employee" AS "t0"
        WHERE "t0"."_id" = $1
        """
    ) {
      $0.row(try wordings.entity("Employee").index)
    }
  }

  @Test func number() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` = ?
        ← 30
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Employee" AS "t0"
        WHERE "t0"."age" = $1::int8
        ← 30
        """
    ) {
      try $0.count(try wordings.request("Employee", "age == 30"))
    }
  }

  @Test func numberOfAll() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Employee` AS `t0`
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Employee" AS "t0"
        """
    ) {
      try $0.count(try wordings.request("Employee"))
    }
  }

  @Test func numberIgnoresOrder() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Employee` AS `t0`
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Employee" AS "t0"
        """
    ) {
      try $0.count(try wordings.request("Employee", order: "company.name"))
    }
  }

  @Test func numberInAWindow() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM (SELECT 1 FROM `Employee` AS `t0` LIMIT ? OFFSET ?)
        ← 4, 3
        """,
      postgreSQL: """
        SELECT count(*)
        FROM (SELECT 1 FROM "Employee" AS "t0" LIMIT $1::int8 OFFSET $2::int8) AS "rows"
        ← 4, 3
        """
    ) {
      try $0.count(try wordings.request("Employee", offset: 3, limit: 4))
    }
  }

  @Test func numberBehindOthers() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM (SELECT 1 FROM `Employee` AS `t0` LIMIT ? OFFSET ?)
        ← -1, 3
        """,
      postgreSQL: """
        SELECT count(*)
        FROM (SELECT 1 FROM "Employee" AS "t0" OFFSET $1::int8) AS "rows"
        ← 3
        """
    ) {
      try $0.count(try wordings.request("Employee", offset: 3))
    }
  }

  @Test func numberThroughToOne() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*)
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        WHERE `t1`.`name` = ?
        ← “Acme”
        """,
      postgreSQL: """
        SELECT count(*)
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        WHERE "t1"."name" COLLATE "C" = $1::text
        ← “Acme”
        """
    ) {
      try $0.count(try wordings.request("Employee", "company.name == \"Acme\""))
    }
  }

  @Test func values() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`name`, `t1`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."name", "t1"."name"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.values(of: [["name"], ["company", "name"]], in: try wordings.request("Employee"))
    }
  }

  @Test func valuesOfKeys() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`company`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."company"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."_id"
        """
    ) {
      try $0.values(of: [[], ["company"]], in: try wordings.request("Employee"))
    }
  }
}
