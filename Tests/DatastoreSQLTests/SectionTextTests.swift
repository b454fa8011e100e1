import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Keys with the values that make their sections, sections with their sizes, and groups.
@Suite("Sections and groups as SQL")
struct SectionTextTests {
  private let wordings = Wordings()

  @Test func keysInSections() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`company`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`company`, `t0`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."company"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."company" NULLS FIRST, "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """
    ) {
      try $0.grouped(try wordings.request("Employee", order: "name"), by: ["company"])
    }
  }

  @Test func keysInSectionsThroughToOne() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t1`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t1`.`name`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t1"."name"
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        ORDER BY "t1"."name" COLLATE "C" NULLS FIRST, "t0"."_id"
        """
    ) {
      try $0.grouped(try wordings.request("Employee"), by: ["company", "name"])
    }
  }

  @Test func keysInSectionsDescending() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`age`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age` DESC, `t0`.`age` DESC, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."age"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."age" DESC NULLS LAST, "t0"."age" DESC NULLS LAST, "t0"."_id"
        """
    ) {
      try $0.grouped(try wordings.request("Employee", order: "age desc"), by: ["age"])
    }
  }

  @Test func keysInSectionsOfDecimals() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`bonus`
        FROM `Employee` AS `t0`
        ORDER BY datastore_decimal(`t0`.`bonus`), `t0`.`bonus`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."bonus"
        FROM "Employee" AS "t0"
        ORDER BY "t0"."bonus" NULLS FIRST, "t0"."bonus" NULLS FIRST, "t0"."_id"
        """
    ) {
      try $0.grouped(try wordings.request("Employee"), by: ["bonus"])
    }
  }

  @Test func sections() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`age`, count(*)
        FROM `Employee` AS `t0`
        GROUP BY `t0`.`age`
        ORDER BY `t0`.`age`
        """,
      postgreSQL: """
        SELECT "t0"."age", count(*)
        FROM "Employee" AS "t0"
        GROUP BY "t0"."age"
        ORDER BY "t0"."age" NULLS FIRST
        """
    ) {
      try $0.sections(try wordings.request("Employee"), by: ["age"])
    }
  }

  @Test func sectionsThroughToOne() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t1`.`name`, count(*)
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        GROUP BY `t1`.`name`
        ORDER BY `t1`.`name`
        """,
      postgreSQL: """
        SELECT "t1"."name" COLLATE "C", count(*)
        FROM "Employee" AS "t0"
        LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company"
        GROUP BY "t1"."name" COLLATE "C"
        ORDER BY "t1"."name" COLLATE "C" NULLS FIRST
        """
    ) {
      try $0.sections(try wordings.request("Employee"), by: ["company", "name"])
    }
  }

  @Test func sectionsDescending() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`age`, count(*)
        FROM `Employee` AS `t0`
        GROUP BY `t0`.`age`
        ORDER BY `t0`.`age`
        """,
      postgreSQL: """
        SELECT "t0"."age", count(*)
        FROM "Employee" AS "t0"
        GROUP BY "t0"."age"
        ORDER BY "t0"."age" NULLS FIRST
        """
    ) {
      try $0.sections(try wordings.request("Employee", order: "age desc"), by: ["age"])
    }
  }

  @Test func sectionsOfSome() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`age`, count(*)
        FROM `Employee` AS `t0`
        WHERE `t0`.`salary` > ?
        GROUP BY `t0`.`age`
        ORDER BY `t0`.`age`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."age", count(*)
        FROM "Employee" AS "t0"
        WHERE "t0"."salary" > $1::float8
        GROUP BY "t0"."age"
        ORDER BY "t0"."age" NULLS FIRST
        ← 1.0
        """
    ) {
      try $0.sections(try wordings.request("Employee", "salary > 1"), by: ["age"])
    }
  }

  @Test func sectionsOfAWindow() throws {
    try wordings.expect(
      sqlite: """
        SELECT value, count(*)
        FROM (SELECT `t0`.`age` AS value FROM `Employee` AS `t0` ORDER BY `t0`.`age`,
          `t0`.`name`, `t0`.`_id` LIMIT ?)
        GROUP BY value COLLATE BINARY
        ORDER BY value COLLATE BINARY
        ← 5
        """,
      postgreSQL: """
        SELECT value, count(*)
        FROM (SELECT "t0"."age" AS value FROM "Employee" AS "t0" ORDER BY "t0"."age" NULLS
          FIRST, "t0"."name" COLLATE "C" NULLS FIRST, "t0"."_id" LIMIT $1::int8) AS "rows"
        GROUP BY value
        ORDER BY value NULLS FIRST
        ← 5
        """
    ) {
      try $0.sections(try wordings.request("Employee", order: "name", limit: 5), by: ["age"])
    }
  }

  @Test func sectionsOfDecimals() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`bonus`, count(*)
        FROM `Employee` AS `t0`
        GROUP BY `t0`.`bonus` COLLATE BINARY
        ORDER BY datastore_decimal(`t0`.`bonus`), `t0`.`bonus`
        """,
      postgreSQL: """
        SELECT "t0"."bonus", count(*)
        FROM "Employee" AS "t0"
        GROUP BY "t0"."bonus"
        ORDER BY "t0"."bonus" NULLS FIRST, "t0"."bonus" NULLS FIRST
        """
    ) {
      try $0.sections(try wordings.request("Employee"), by: ["bonus"])
    }
  }

  @Test func distinctValues() throws {
    try wordings.expect(
      sqlite: #"""
        SELECT DISTINCT `t0`.`name` COLLATE BINARY
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` IS NOT NULL AND `t0`.`name` LIKE ? ESCAPE '\'
        LIMIT ?
        ← “b%”, 9
        """#,
      postgreSQL: #"""
        SELECT DISTINCT "t0"."name" COLLATE "C"
        FROM "Employee" AS "t0"
        WHERE "t0"."name" IS NOT NULL AND "t0"."name" COLLATE "C" ILIKE $1::text ESCAPE '\'
        LIMIT $2::int8
        ← “b%”, 9
        """#
    ) {
      try $0.distinctValues(
        DistinctValuesQuestion(
          of: "name", entity: try wordings.entity("Employee").index, beginningWith: "b", limit: 9))
    }
  }

  @Test func distinctValuesBeginningWithAWildcard() throws {
    try wordings.expect(
      sqlite: #"""
        SELECT DISTINCT `t0`.`name` COLLATE BINARY
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` IS NOT NULL AND `t0`.`name` LIKE ? ESCAPE '\'
        LIMIT ?
        ← “5\%\_\\%”, 9
        """#,
      postgreSQL: #"""
        SELECT DISTINCT "t0"."name" COLLATE "C"
        FROM "Employee" AS "t0"
        WHERE "t0"."name" IS NOT NULL AND "t0"."name" COLLATE "C" ILIKE $1::text ESCAPE '\'
        LIMIT $2::int8
        ← “5\%\_\\%”, 9
        """#
    ) {
      try $0.distinctValues(
        DistinctValuesQuestion(
          of: "name", entity: try wordings.entity("Employee").index, beginningWith: "5%_\\",
          limit: 9))
    }
  }

  @Test func aggregates() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*), datastore_sum(`t0`.`estimate`)
        FROM `Task` AS `t0`
        """,
      postgreSQL: """
        SELECT count(*), sum("t0"."estimate"::int8)
        FROM "Task" AS "t0"
        """
    ) {
      try $0.aggregates(
        AggregatesQuestion(
          [.countRows, .aggregate(.sum, ["estimate"])], of: try wordings.request("Task")))
    }
  }

  @Test func aggregatesOfGroups() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`company`, count(*), max(`t0`.`age`)
        FROM `Employee` AS `t0`
        GROUP BY `t0`.`company`
        ORDER BY `t0`.`company`
        """,
      postgreSQL: """
        SELECT "t0"."company", count(*), max("t0"."age")
        FROM "Employee" AS "t0"
        GROUP BY "t0"."company"
        ORDER BY "t0"."company" NULLS FIRST
        """
    ) {
      try $0.aggregates(
        AggregatesQuestion(
          [.countRows, .aggregate(.maximum, ["age"])],
          of: try wordings.request("Employee"), groupBy: [["company"]]))
    }
  }

  @Test func aggregatesOfGroupsOfSomeRows() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`age`, count(*)
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` > ?
        GROUP BY `t0`.`age`
        ORDER BY `t0`.`age`
        ← 1
        """,
      postgreSQL: """
        SELECT "t0"."age", count(*)
        FROM "Employee" AS "t0"
        WHERE "t0"."age" > $1::int8
        GROUP BY "t0"."age"
        ORDER BY "t0"."age" NULLS FIRST
        ← 1
        """
    ) {
      try $0.aggregates(
        AggregatesQuestion(
          [.countRows], of: try wordings.request("Employee", "age > 1"), groupBy: [["age"]]))
    }
  }
}
