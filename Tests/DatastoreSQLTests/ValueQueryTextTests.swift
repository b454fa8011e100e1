import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Columns, groups, and conditions on groups.
@Suite("Tables of values as SQL")
struct ValueQueryTextTests {
  private let wordings = Wordings()

  private func answer(
    _ builder: QueryBuilder, of entity: String = "Employee", _ write: (inout ValueQueryText) -> Void
  ) throws -> SQLFragment {
    var text = ValueQueryText()
    write(&text)
    let query = try ValueQuery(text, entity: try wordings.entity(entity), in: wordings.schema)
    return try builder.answer(to: query, includingGenerated: false).sql
  }

  @Test func columns() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`name`, `t1`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t0`.`age` DESC, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."name", "t1"."name"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        ORDER BY "t0"."age" DESC NULLS LAST, "t0"."_id"
        """
    ) {
      try answer($0) {
        $0.columns = "name, company.name"
        $0.order = "age desc"
      }
    }
  }

  @Test func everyColumn() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`title`, `t0`.`done`, `t0`.`estimate`, `t0`.`owner`
        FROM `Task` AS `t0`
        WHERE `t0`.`done` = ?
        ← 0
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."title", "t0"."done", "t0"."estimate", "t0"."owner"
        FROM "Task" AS "t0"
        WHERE "t0"."done" = FALSE
        """
    ) {
      try answer($0, of: "Task") {
        $0.predicate = "done == NO"
      }
    }
  }

  @Test func calculatedColumn() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`name`, (`t0`.`age` * ?)
        FROM `Employee` AS `t0`
        ← 2
        """,
      postgreSQL: """
        SELECT "t0"."name", ("t0"."age"::int8 * $1::int8)
        FROM "Employee" AS "t0"
        ← 2
        """
    ) {
      try answer($0) {
        $0.columns = "name, age * 2"
      }
    }
  }

  @Test func named() throws {
    try wordings.expect(
      sqlite: """
        SELECT (`t0`.`age` + ?)
        FROM `Employee` AS `t0`
        ORDER BY (`t0`.`age` + ?) DESC, `t0`.`_id`
        ← 1, 1
        """,
      postgreSQL: """
        SELECT ("t0"."age"::int8 + $1::int8)
        FROM "Employee" AS "t0"
        ORDER BY ("t0"."age"::int8 + $1::int8) DESC NULLS LAST, "t0"."_id"
        ← 1
        """
    ) {
      try answer($0) {
        $0.columns = "age + 1 as next"
        $0.order = "next desc"
      }
    }
  }

  @Test func function() throws {
    try wordings.expect(
      sqlite: """
        SELECT datastore_function(1, 1, `t0`.`name`)
        FROM `Employee` AS `t0`
        """,
      postgreSQL: "refused: PostgreSQL cannot compute uppercase(text) as this program does."
    ) {
      try answer($0) {
        $0.columns = "uppercase(name)"
      }
    }
  }

  @Test func countOfMembers() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`name`, (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`)
        FROM `Employee` AS `t0`
        """,
      postgreSQL: """
        SELECT "t0"."name", (SELECT count("t2"."_id") FROM "Task" AS "t2" WHERE "t0"."_id" =
          "t2"."owner")
        FROM "Employee" AS "t0"
        """
    ) {
      try answer($0) {
        $0.columns = "name, tasks.@count"
      }
    }
  }

  @Test func groups() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t0`.`age` AS `age`, +count(*) AS `count(*)` FROM
          `Employee` AS `t0` GROUP BY `t0`.`age`) SELECT `t0`.`age`, `t0`.`count(*)`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`age` COLLATE BINARY
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t0"."age" AS "age", count(*) AS "count(*)" FROM
          "Employee" AS "t0" GROUP BY "t0"."age") SELECT "t0"."age", "t0"."count(*)"
        FROM "datastore_groups" AS "t0"
        ORDER BY "t0"."age" NULLS FIRST
        """
    ) {
      try answer($0) {
        $0.columns = "age, count(*)"
        $0.groupBy = "age"
      }
    }
  }

  @Test func groupsThroughToOne() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t1`.`name` AS `company.name`, +count(*) AS
          `count(*)` FROM `Employee` AS `t0` LEFT JOIN `Company` AS `t1` ON `t1`.`_id` =
          `t0`.`company` GROUP BY `t1`.`name`) SELECT `t0`.`company.name`, `t0`.`count(*)`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`company.name` COLLATE BINARY
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t1"."name" COLLATE "C" AS "company.name", count(*)
          AS "count(*)" FROM "Employee" AS "t0" LEFT JOIN "Company" AS "t1" ON "t1"."_id" =
          "t0"."company" GROUP BY "t1"."name" COLLATE "C") SELECT "t0"."company.name",
          "t0"."count(*)"
        FROM "datastore_groups" AS "t0"
        ORDER BY "t0"."company.name" COLLATE "C" COLLATE "C" NULLS FIRST
        """
    ) {
      try answer($0) {
        $0.columns = "company.name, count(*)"
        $0.groupBy = "company.name"
      }
    }
  }

  @Test func groupsWithACondition() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t1`.`name` AS `company.name`, +max(`t0`.`age`) AS
          `max(age)`, +count(*) AS `count` FROM `Employee` AS `t0` LEFT JOIN `Company` AS `t1`
          ON `t1`.`_id` = `t0`.`company` GROUP BY `t1`.`name`) SELECT `t0`.`company.name`,
          `t0`.`max(age)`
        FROM `datastore_groups` AS `t0`
        WHERE `t0`.`count` COLLATE BINARY > ?
        ORDER BY `t0`.`max(age)` COLLATE BINARY DESC, `t0`.`company.name` COLLATE BINARY
        ← 1
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t1"."name" COLLATE "C" AS "company.name",
          max("t0"."age") AS "max(age)", count(*) AS "count" FROM "Employee" AS "t0" LEFT JOIN
          "Company" AS "t1" ON "t1"."_id" = "t0"."company" GROUP BY "t1"."name" COLLATE "C")
          SELECT "t0"."company.name", "t0"."max(age)"
        FROM "datastore_groups" AS "t0"
        WHERE "t0"."count" > $1::int8
        ORDER BY "t0"."max(age)" DESC NULLS LAST, "t0"."company.name" COLLATE "C" COLLATE "C"
          NULLS FIRST
        ← 1
        """
    ) {
      try answer($0) {
        $0.columns = "company.name, max(age)"
        $0.groupBy = "company.name"
        $0.having = "count(*) > 1"
        $0.order = "max(age) desc"
      }
    }
  }

  @Test func groupsOfSome() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t0`.`age` AS `age`, +datastore_sum(`t0`.`salary`)
          AS `sum(salary)`, +count(*) AS `count` FROM `Employee` AS `t0` WHERE `t0`.`salary` > ?
          GROUP BY `t0`.`age`) SELECT `t0`.`age`, `t0`.`sum(salary)`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`age` COLLATE BINARY
        ← 1
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t0"."age" AS "age",
          NULLIF(sum("t0"."salary"::float8), 'NaN') AS "sum(salary)", count(*) AS "count" FROM
          "Employee" AS "t0" WHERE "t0"."salary" > $1::float8 GROUP BY "t0"."age") SELECT
          "t0"."age", "t0"."sum(salary)"
        FROM "datastore_groups" AS "t0"
        ORDER BY "t0"."age" NULLS FIRST
        ← 1.0
        """
    ) {
      try answer($0) {
        $0.columns = "age, sum(salary)"
        $0.predicate = "salary > 1"
        $0.groupBy = "age"
      }
    }
  }

  @Test func oneGroupOfAll() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +count(*) AS `count(*)`,
          +datastore_sum(`t0`.`estimate`) AS `sum(estimate)`,
          +datastore_average(`t0`.`estimate`) AS `avg(estimate)` FROM `Task` AS `t0` WHERE
          `t0`.`done` = ?) SELECT `t0`.`count(*)`, `t0`.`sum(estimate)`, `t0`.`avg(estimate)`
        FROM `datastore_groups` AS `t0`
        ← 1
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT count(*) AS "count(*)", sum("t0"."estimate"::int8) AS
          "sum(estimate)", NULLIF(sum("t0"."estimate"::int8)::float8 /
          NULLIF(count("t0"."estimate"::int8), 0), 'NaN') AS "avg(estimate)" FROM "Task" AS "t0"
          WHERE "t0"."done" = TRUE) SELECT "t0"."count(*)", "t0"."sum(estimate)",
          "t0"."avg(estimate)"
        FROM "datastore_groups" AS "t0"
        """
    ) {
      try answer($0, of: "Task") {
        $0.columns = "count(*), sum(estimate), avg(estimate)"
        $0.predicate = "done == YES"
      }
    }
  }

  @Test func leastAndGreatest() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +min(`t0`.`name`) AS `min(name)`, +max(`t0`.`name`)
          AS `max(name)`, +count(*) AS `count` FROM `Employee` AS `t0`) SELECT `t0`.`min(name)`,
          `t0`.`max(name)`
        FROM `datastore_groups` AS `t0`
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT min("t0"."name" COLLATE "C") AS "min(name)",
          max("t0"."name" COLLATE "C") AS "max(name)", count(*) AS "count" FROM "Employee" AS
          "t0") SELECT "t0"."min(name)", "t0"."max(name)"
        FROM "datastore_groups" AS "t0"
        """
    ) {
      try answer($0) {
        $0.columns = "min(name), max(name)"
      }
    }
  }

  @Test func groupsOfTwo() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t0`.`age` AS `age`, +`t0`.`company` AS `company`,
          +count(*) AS `count(*)` FROM `Employee` AS `t0` GROUP BY `t0`.`age`, +`t0`.`company`
          COLLATE BINARY) SELECT `t0`.`age`, `t0`.`company`, `t0`.`count(*)`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`age` COLLATE BINARY, `t0`.`company` COLLATE BINARY
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t0"."age" AS "age", "t0"."company" AS "company",
          count(*) AS "count(*)" FROM "Employee" AS "t0" GROUP BY "t0"."age", "t0"."company")
          SELECT "t0"."age", "t0"."company", "t0"."count(*)"
        FROM "datastore_groups" AS "t0"
        ORDER BY "t0"."age" NULLS FIRST, "t0"."company" NULLS FIRST
        """
    ) {
      try answer($0) {
        $0.columns = "age, company, count(*)"
        $0.groupBy = "age, company"
      }
    }
  }

  @Test func groupsWithoutColumns() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +`t0`.`name` AS `name`, +count(*) AS `count` FROM
          `Employee` AS `t0` GROUP BY `t0`.`name`) SELECT `t0`.`name`, `t0`.`count`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`name` COLLATE BINARY
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT "t0"."name" COLLATE "C" AS "name", count(*) AS
          "count" FROM "Employee" AS "t0" GROUP BY "t0"."name" COLLATE "C") SELECT "t0"."name",
          "t0"."count"
        FROM "datastore_groups" AS "t0"
        ORDER BY "t0"."name" COLLATE "C" COLLATE "C" NULLS FIRST
        """
    ) {
      try answer($0) {
        $0.groupBy = "name"
      }
    }
  }

  @Test func numberOfPresentValues() throws {
    try wordings.expect(
      sqlite: """
        WITH `datastore_groups` AS (SELECT +count(`t0`.`age`) AS `count(age)`, +count(*) AS
          `count` FROM `Employee` AS `t0`) SELECT `t0`.`count(age)`
        FROM `datastore_groups` AS `t0`
        """,
      postgreSQL: """
        WITH "datastore_groups" AS (SELECT count("t0"."age") AS "count(age)", count(*) AS
          "count" FROM "Employee" AS "t0") SELECT "t0"."count(age)"
        FROM "datastore_groups" AS "t0"
        """
    ) {
      try answer($0) {
        $0.columns = "count(age)"
      }
    }
  }
}
