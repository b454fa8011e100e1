import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Counts of a column.
@Suite("Summaries as SQL")
struct SummaryTextTests {
  private let wordings = Wordings()

  @Test func frequencies() throws {
    try wordings.expect(
      sqlite: """
        SELECT value, rows, sum(rows) OVER ()
        FROM (SELECT `t0`.`age` AS value, count(*) AS rows FROM `Employee` AS `t0` GROUP BY
          `t0`.`age`)
        ORDER BY rows DESC, value COLLATE BINARY
        LIMIT ?
        ← 3
        """,
      postgreSQL: """
        SELECT value, rows, sum(rows) OVER ()
        FROM (SELECT "t0"."age" AS value, count(*) AS rows FROM "Employee" AS "t0" GROUP BY
          "t0"."age") AS "rows"
        ORDER BY rows DESC, value NULLS FIRST
        LIMIT $1::int8
        ← 3
        """
    ) {
      try $0.frequencies(of: ["age"], in: try wordings.request("Employee"), limit: 3)
    }
  }

  @Test func frequenciesThroughToOne() throws {
    try wordings.expect(
      sqlite: """
        SELECT value, rows, sum(rows) OVER ()
        FROM (SELECT `t1`.`name` AS value, count(*) AS rows FROM `Employee` AS `t0` LEFT JOIN
          `Company` AS `t1` ON `t1`.`_id` = `t0`.`company` GROUP BY `t1`.`name`)
        ORDER BY rows DESC, value COLLATE BINARY
        LIMIT ?
        ← 3
        """,
      postgreSQL: """
        SELECT value, rows, sum(rows) OVER ()
        FROM (SELECT "t1"."name" COLLATE "C" AS value, count(*) AS rows FROM "Employee" AS "t0"
          LEFT JOIN "Company" AS "t1" ON "t1"."_id" = "t0"."company" GROUP BY "t1"."name"
          COLLATE "C") AS "rows"
        ORDER BY rows DESC, value COLLATE "C" COLLATE "C" NULLS FIRST
        LIMIT $1::int8
        ← 3
        """
    ) {
      try $0.frequencies(of: ["company", "name"], in: try wordings.request("Employee"), limit: 3)
    }
  }

  @Test func statisticsOfNumbers() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*), count(`t0`.`estimate`), count(DISTINCT `t0`.`estimate`),
          min(`t0`.`estimate`), max(`t0`.`estimate`), count(CASE WHEN typeof(`t0`.`estimate`) IN
          ('integer', 'real') THEN `t0`.`estimate` END), datastore_sum(`t0`.`estimate`),
          avg(CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real') THEN `t0`.`estimate`
          END), min(CASE WHEN typeof(`t0`.`estimate`) = 'text' THEN length(`t0`.`estimate`)
          END), max(CASE WHEN typeof(`t0`.`estimate`) = 'text' THEN length(`t0`.`estimate`)
          END), count(CASE WHEN `t0`.`estimate` = '' THEN 1 END)
        FROM `Task` AS `t0`
        """,
      postgreSQL: """
        SELECT count(*), count("t0"."estimate"), count(DISTINCT "t0"."estimate"),
          min("t0"."estimate"), max("t0"."estimate"), count("t0"."estimate"::int8),
          sum("t0"."estimate"::int8), NULLIF(sum("t0"."estimate"::int8)::float8 /
          NULLIF(count("t0"."estimate"::int8), 0), 'NaN'), min(NULL::int4), max(NULL::int4),
          count(CASE WHEN FALSE THEN 1 END)
        FROM "Task" AS "t0"
        """
    ) {
      try $0.statistics(of: ["estimate"], in: try wordings.request("Task"))
    }
  }

  @Test func statisticsOfText() throws {
    try wordings.expect(
      sqlite: """
        SELECT count(*), count(`t0`.`name`), count(DISTINCT `t0`.`name`), min(`t0`.`name`),
          max(`t0`.`name`), count(CASE WHEN typeof(`t0`.`name`) IN ('integer', 'real') THEN
          `t0`.`name` END), datastore_sum(`t0`.`name`), avg(CASE WHEN typeof(`t0`.`name`) IN
          ('integer', 'real') THEN `t0`.`name` END), min(CASE WHEN typeof(`t0`.`name`) = 'text'
          THEN length(`t0`.`name`) END), max(CASE WHEN typeof(`t0`.`name`) = 'text' THEN
          length(`t0`.`name`) END), count(CASE WHEN `t0`.`name` = '' THEN 1 END)
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` > ?
        ← 1
        """,
      postgreSQL: """
        SELECT count(*), count("t0"."name"), count(DISTINCT "t0"."name"), min("t0"."name"
          COLLATE "C"), max("t0"."name" COLLATE "C"), count(NULL::float8),
          NULLIF(sum(NULL::float8), 'NaN'), NULLIF(avg(NULL::float8), 'NaN'),
          min(char_length("t0"."name")), max(char_length("t0"."name")), count(CASE WHEN
          "t0"."name" = '' THEN 1 END)
        FROM "Employee" AS "t0"
        WHERE "t0"."age" > $1::int8
        ← 1
        """
    ) {
      try $0.statistics(of: ["name"], in: try wordings.request("Employee", "age > 1"))
    }
  }

  @Test func squares() throws {
    try wordings.expect(
      sqlite: """
        SELECT total((CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real') THEN
          `t0`.`estimate` END - ?) * (CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real')
          THEN `t0`.`estimate` END - ?)), total((CASE WHEN typeof(`t0`.`estimate`) IN
          ('integer', 'real') THEN `t0`.`estimate` END - ?))
        FROM `Task` AS `t0`
        ← 2.5, 2.5, 2.5
        """,
      postgreSQL: """
        SELECT coalesce(sum(("t0"."estimate"::int8 - $1::float8) * ("t0"."estimate"::int8 -
          $1::float8))::float8, 0), coalesce(sum(("t0"."estimate"::int8 - $1::float8))::float8,
          0)
        FROM "Task" AS "t0"
        ← 2.5
        """
    ) {
      try $0.squares(of: ["estimate"], in: try wordings.request("Task"), mean: 2.5)
    }
  }

  @Test func middleOfAnOddNumber() throws {
    try wordings.expect(
      sqlite: """
        SELECT number
        FROM (SELECT CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real') THEN
          `t0`.`estimate` END AS number FROM `Task` AS `t0`)
        WHERE number IS NOT NULL
        ORDER BY number
        LIMIT ?
        OFFSET ?
        ← 1, 1
        """,
      postgreSQL: """
        SELECT number
        FROM (SELECT "t0"."estimate"::int8 AS number FROM "Task" AS "t0") AS "rows"
        WHERE number IS NOT NULL
        ORDER BY number
        LIMIT $1::int8
        OFFSET $1::int8
        ← 1
        """
    ) {
      try $0.middle(of: ["estimate"], in: try wordings.request("Task"), count: 3)
    }
  }

  @Test func middleOfAnEvenNumber() throws {
    try wordings.expect(
      sqlite: """
        SELECT number
        FROM (SELECT CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real') THEN
          `t0`.`estimate` END AS number FROM `Task` AS `t0`)
        WHERE number IS NOT NULL
        ORDER BY number
        LIMIT ?
        OFFSET ?
        ← 2, 1
        """,
      postgreSQL: """
        SELECT number
        FROM (SELECT "t0"."estimate"::int8 AS number FROM "Task" AS "t0") AS "rows"
        WHERE number IS NOT NULL
        ORDER BY number
        LIMIT $1::int8
        OFFSET $2::int8
        ← 2, 1
        """
    ) {
      try $0.middle(of: ["estimate"], in: try wordings.request("Task"), count: 4)
    }
  }

  @Test func numericRange() throws {
    try wordings.expect(
      sqlite: """
        SELECT min(CASE WHEN typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END),
          max(CASE WHEN typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END),
          count(CASE WHEN typeof(`t0`.`age`) = 'integer' THEN 1 END), count(CASE WHEN
          typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END), count(*)
        FROM `Employee` AS `t0`
        """,
      postgreSQL: """
        SELECT min("t0"."age"::int8), max("t0"."age"::int8), count(CASE WHEN "t0"."age" IS NOT
          NULL THEN 1 END), count("t0"."age"::int8), count(*)
        FROM "Employee" AS "t0"
        """
    ) {
      try $0.numericRange(of: ["age"], in: try wordings.request("Employee"))
    }
  }

  @Test func histogram() throws {
    try wordings.expect(
      sqlite: """
        SELECT CAST((number - ?) / ? AS INTEGER), count(*)
        FROM (SELECT CASE WHEN typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END AS
          number FROM `Employee` AS `t0`)
        WHERE number IS NOT NULL
        GROUP BY 1
        ← 20.0, 10.0
        """,
      postgreSQL: """
        SELECT trunc(((number - $1::float8) / $2::float8)::float8)::int8, count(*)
        FROM (SELECT "t0"."age"::int8 AS number FROM "Employee" AS "t0") AS "rows"
        WHERE number IS NOT NULL
        GROUP BY 1
        ← 20.0, 10.0
        """
    ) {
      try $0.histogram(
        of: ["age"], in: try wordings.request("Employee"),
        HistogramScale(minimum: 20, maximum: 50, width: 10, count: 3))
    }
  }

  @Test func histogramsOfGroups() throws {
    try wordings.expect(
      sqlite: """
        SELECT value COLLATE BINARY, CAST((number - ?) / ? AS INTEGER), count(*)
        FROM (SELECT `t0`.`company` AS value, CASE WHEN typeof(`t0`.`age`) IN ('integer',
          'real') THEN `t0`.`age` END AS number FROM `Employee` AS `t0`)
        WHERE number IS NOT NULL
        GROUP BY 1, 2
        ORDER BY 1
        ← 20.0, 10.0
        """,
      postgreSQL: """
        SELECT value, trunc(((number - $1::float8) / $2::float8)::float8)::int8, count(*)
        FROM (SELECT "t0"."company" AS value, "t0"."age"::int8 AS number FROM "Employee" AS
          "t0") AS "rows"
        WHERE number IS NOT NULL
        GROUP BY 1, 2
        ORDER BY 1
        ← 20.0, 10.0
        """
    ) {
      try $0.groupedHistograms(
        of: ["age"], in: try wordings.request("Employee"), groupBy: ["company"],
        HistogramScale(minimum: 20, maximum: 50, width: 10, count: 3))
    }
  }
}
