import DatastoreCore
import DatastoreSQLite
import Testing

@Suite("Values, groups, summaries: request, SQL, rows")
struct AnswerGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func columns() async throws {
    try await file.expect(
      oracle: """
        SELECT e.name, c.name FROM Employee e LEFT JOIN Company c ON c._id = e.company ORDER \
        BY age DESC, e._id
        """,
      is: """
        SELECT `t0`.`name`, `t1`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t0`.`age` DESC, `t0`.`_id`

        bob|Acme
        Ann|Acme
        Dee|NULL
        Élodie|Zeta
        Cyd|Zeta
        """
    ) {
      try values($0, ValueQueryText(columns: "name, company.name", order: "age desc"))
    }
  }

  @Test func allColumns() async throws {
    try await file.expect(
      oracle: "SELECT _id, title, done, estimate, owner FROM Task WHERE done = 0",
      is: """
        SELECT `t0`.`_id`, `t0`.`title`, `t0`.`done`, `t0`.`estimate`, `t0`.`owner`
        FROM `Task` AS `t0`
        WHERE `t0`.`done` = 0

        2|build|0|3|1
        """
    ) {
      try values($0, ValueQueryText(predicate: "done == NO"), of: "Task")
    }
  }

  @Test func groups() async throws {
    try await file.expect(
      oracle: "SELECT age, count(*) FROM Employee GROUP BY age ORDER BY age",
      is: """
        WITH `datastore_groups` AS (SELECT +`t0`.`age` AS `age`, +count(*) AS `count(*)` FROM
          `Employee` AS `t0` GROUP BY `t0`.`age`) SELECT `t0`.`age`, `t0`.`count(*)`
        FROM `datastore_groups` AS `t0`
        ORDER BY `t0`.`age` COLLATE BINARY

        NULL|1
        25|1
        30|2
        40|1
        """
    ) {
      try values($0, ValueQueryText(columns: "age, count(*)", groupBy: "age"))
    }
  }

  @Test func groupsWithACondition() async throws {
    try await file.expect(
      oracle: """
        SELECT c.name, max(age) FROM Employee e LEFT JOIN Company c ON c._id = e.company \
        GROUP BY 1 HAVING count(*) > 1 ORDER BY 2 DESC
        """,
      is: """
        WITH `datastore_groups` AS (SELECT +`t1`.`name` AS `company.name`, +max(`t0`.`age`) AS
          `max(age)`, +count(*) AS `count` FROM `Employee` AS `t0` LEFT JOIN `Company` AS `t1`
          ON `t1`.`_id` = `t0`.`company` GROUP BY `t1`.`name`) SELECT `t0`.`company.name`,
          `t0`.`max(age)`
        FROM `datastore_groups` AS `t0`
        WHERE `t0`.`count` COLLATE BINARY > 1
        ORDER BY `t0`.`max(age)` COLLATE BINARY DESC, `t0`.`company.name` COLLATE BINARY

        Acme|40
        Zeta|25
        """
    ) {
      try values(
        $0,
        ValueQueryText(
          columns: "company.name, max(age)", groupBy: "company.name", having: "count(*) > 1",
          order: "max(age) desc"))
    }
  }

  @Test func oneGroupOfAll() async throws {
    try await file.expect(
      oracle: "SELECT count(*), sum(estimate), avg(estimate) FROM Task WHERE done = 1",
      is: """
        WITH `datastore_groups` AS (SELECT +count(*) AS `count(*)`,
          +datastore_sum(`t0`.`estimate`) AS `sum(estimate)`,
          +datastore_average(`t0`.`estimate`) AS `avg(estimate)` FROM `Task` AS `t0` WHERE
          `t0`.`done` = 1) SELECT `t0`.`count(*)`, `t0`.`sum(estimate)`, `t0`.`avg(estimate)`
        FROM `datastore_groups` AS `t0`

        2|13|6.5
        """
    ) {
      try values(
        $0,
        ValueQueryText(
          columns: "count(*), sum(estimate), avg(estimate)", predicate: "done == YES"),
        of: "Task")
    }
  }

  @Test func aggregatesOverGroups() async throws {
    try await file.expect(
      oracle: "SELECT company, count(*), max(age) FROM Employee GROUP BY company",
      is: """
        SELECT `t0`.`company`, count(*), max(`t0`.`age`)
        FROM `Employee` AS `t0`
        GROUP BY `t0`.`company`
        ORDER BY `t0`.`company`

        NULL|1|30
        1|2|40
        2|2|25
        """
    ) {
      try await $0.answer(
        AggregatesQuestion(
          [.countRows, .aggregate(.maximum, ["age"])],
          of: try file.request("Employee"), groupBy: [["company"]]))
    }
  }

  @Test func frequencies() async throws {
    try await file.expect(
      is: """
        SELECT value, rows, sum(rows) OVER ()
        FROM (SELECT `t0`.`age` AS value, count(*) AS rows FROM `Employee` AS `t0` GROUP BY
          `t0`.`age`)
        ORDER BY rows DESC, value COLLATE BINARY
        LIMIT 3

        30|2
        NULL|1
        25|1
        5
        """
    ) {
      let table = try await $0.answer(
        FrequencyQuestion(
          of: ["age"], in: try file.request("Employee"), limit: 3))
      return table.entries.map { [$0.value, .integer(Int64($0.count))] }
        + [[.integer(Int64(table.rowCount))]]
    }
  }

  @Test func statistics() async throws {
    try await file.expect(
      oracle: """
        SELECT 3, count(DISTINCT estimate), min(estimate), max(estimate), sum(estimate), 5 \
        FROM Task
        """,
      is: """
        SELECT count(*), count(`t0`.`estimate`), count(DISTINCT `t0`.`estimate`),
          min(`t0`.`estimate`), max(`t0`.`estimate`), count(CASE WHEN typeof(`t0`.`estimate`) IN
          ('integer', 'real') THEN `t0`.`estimate` END), datastore_sum(`t0`.`estimate`),
          avg(CASE WHEN typeof(`t0`.`estimate`) IN ('integer', 'real') THEN `t0`.`estimate`
          END), min(CASE WHEN typeof(`t0`.`estimate`) = 'text' THEN length(`t0`.`estimate`)
          END), max(CASE WHEN typeof(`t0`.`estimate`) = 'text' THEN length(`t0`.`estimate`)
          END), count(CASE WHEN `t0`.`estimate` = '' THEN 1 END)
        FROM `Task` AS `t0`
        SELECT total(((CASE WHEN typeof(`t1`.`estimate`) IN ('integer', 'real') THEN
          `t1`.`estimate` END - 5) - 0.0) * ((CASE WHEN typeof(`t1`.`estimate`) IN ('integer',
          'real') THEN `t1`.`estimate` END - 5) - 0.0)), total(((CASE WHEN
          typeof(`t1`.`estimate`) IN ('integer', 'real') THEN `t1`.`estimate` END - 5) - 0.0))
        FROM `Task` AS `t1`
        SELECT number
        FROM (SELECT CASE WHEN typeof(`t2`.`estimate`) IN ('integer', 'real') THEN
          `t2`.`estimate` END AS number FROM `Task` AS `t2`)
        WHERE number IS NOT NULL
        ORDER BY number
        LIMIT 1
        OFFSET 1

        3|3|3|8|16|5
        """
    ) {
      let found = try await $0.answer(
        StatisticsQuestion(of: ["estimate"], in: try file.request("Task")))
      let numbers = try #require(found.numbers)
      return [
        [
          .integer(Int64(found.rowCount)), .integer(Int64(found.distinctCount)), found.minimum,
          found.maximum, numbers.sum, numbers.median,
        ]
      ]
    }
  }

  @Test func histogram() async throws {
    try await file.expect(
      oracle: """
        SELECT sum(age BETWEEN 25 AND 30), sum(age BETWEEN 31 AND 36), sum(age > 36) FROM \
        Employee
        """,
      is: """
        SELECT min(CASE WHEN typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END),
          max(CASE WHEN typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END),
          count(CASE WHEN typeof(`t0`.`age`) = 'integer' THEN 1 END), count(CASE WHEN
          typeof(`t0`.`age`) IN ('integer', 'real') THEN `t0`.`age` END), count(*)
        FROM `Employee` AS `t0`
        SELECT CAST((number - 25.0) / 6.0 AS INTEGER), count(*)
        FROM (SELECT CASE WHEN typeof(`t1`.`age`) IN ('integer', 'real') THEN `t1`.`age` END AS
          number FROM `Employee` AS `t1`)
        WHERE number IS NOT NULL
        GROUP BY 1

        3|0|1
        """
    ) {
      let found = try await $0.answer(
        HistogramQuestion(
          of: ["age"], in: try file.request("Employee"), bins: 3))
      let histogram = try #require(found)
      return [histogram.counts.map { .integer(Int64($0)) }]
    }
  }

  @Test func distinctValues() async throws {
    try await file.expect(
      oracle: "SELECT DISTINCT name FROM Employee WHERE name LIKE 'b%'",
      is: """
        SELECT DISTINCT `t0`.`name` COLLATE BINARY
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` IS NOT NULL AND `t0`.`name` LIKE 'b%' ESCAPE '\\'
        LIMIT 9

        bob
        """
    ) {
      try await $0.answer(
        DistinctValuesQuestion(
          of: "name", entity: try file.entity("Employee").index, beginningWith: "b", limit: 9
        )
      ).map { [$0] }
    }
  }

  @Test func rowsWithAText() async throws {
    try await file.expect(
      oracle: "SELECT _id FROM Employee WHERE _id IN (1, 2, 3, 5) AND age LIKE '%0%'",
      is: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`_id` IN (SELECT value FROM json_each('[1,2,3,5]')) AND CASE WHEN
          typeof(`t0`.`age`) <> 'blob' THEN CAST(`t0`.`age` AS TEXT) END LIKE '%0%' ESCAPE '\\'

        1
        2
        """
    ) {
      try await $0.answer(
        MatchingKeysQuestion(
          containing: "0", at: [["age"]], entity: try file.entity("Employee").index,
          among: [1, 2, 3, 5]
        )
      ).sorted().map { [.key($0)] }
    }
  }

  private func values(
    _ store: SQLiteStore, _ text: ValueQueryText, of entity: String = "Employee"
  ) throws -> [[Value]] {
    var rows: [[Value]] = []
    let query = try ValueQuery(text, entity: try file.entity(entity), in: store.schema)
    try store.readTransaction { transaction in
      try transaction.answer(
        query, includingGenerated: false, begin: { _ in },
        row: { page, row in
          rows.append((0..<page.columnCount).map { page.value(row: row, column: $0) })
        })
    }
    return rows
  }
}

extension ValueQueryText {
  fileprivate init(
    columns: String? = nil, predicate: String? = nil, groupBy: String? = nil,
    having: String? = nil, order: String? = nil
  ) {
    self.init()
    self.columns = columns
    self.predicate = predicate
    self.groupBy = groupBy
    self.having = having
    self.order = order
  }
}
