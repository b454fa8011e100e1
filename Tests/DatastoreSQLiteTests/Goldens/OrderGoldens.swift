import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import Testing

@Suite("Orders, windows, sections: request, SQL, rows")
struct OrderGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func orderedByAnAttribute() async throws {
    try await file.expect(
      of: "Employee", order: "age",
      oracle: "SELECT name FROM Employee ORDER BY age, _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`age`, `t0`.`_id`

        Cyd
        Élodie
        Ann
        Dee
        bob
        """)
  }

  @Test func descendingThroughToOne() async throws {
    try await file.expect(
      of: "Employee", order: "company.name desc, age",
      oracle: """
        SELECT e.name FROM Employee e LEFT JOIN Company c ON c._id = e.company ORDER BY \
        c.name DESC, e.age, e._id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        ORDER BY `t1`.`name` DESC, `t0`.`age`, `t0`.`_id`

        Cyd
        Élodie
        Ann
        bob
        Dee
        """)
  }

  @Test func orderWithoutCase() async throws {
    try await file.expect(
      of: "Employee", order: "name[c]",
      oracle: "SELECT name FROM Employee ORDER BY lower(name), _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY datastore_fold(`t0`.`name`, 1), `t0`.`_id`

        Ann
        bob
        Cyd
        Dee
        Élodie
        """)
  }

  @Test func orderByACount() async throws {
    try await file.expect(
      of: "Employee", order: "tasks.@count desc",
      oracle: """
        SELECT name FROM Employee ORDER BY (SELECT count(*) FROM Task WHERE owner = \
        Employee._id) DESC, _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`)
          DESC, `t0`.`_id`

        Ann
        bob
        Cyd
        Dee
        Élodie
        """)
  }

  @Test func orderByADecimal() async throws {
    try await file.expect(
      of: "Employee", where: "bonus != NULL", order: "bonus desc",
      oracle: "SELECT name FROM Employee WHERE bonus IS NOT NULL ORDER BY CAST(bonus AS REAL) DESC",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_decimal(`t0`.`bonus`) IS NOT NULL
        ORDER BY datastore_decimal(`t0`.`bonus`) DESC, `t0`.`_id`

        bob
        Ann
        """)
  }

  @Test func limit() async throws {
    try await file.expect(
      of: "Employee", limit: 2,
      oracle: "SELECT name FROM Employee ORDER BY _id LIMIT 2",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        LIMIT 2

        Ann
        bob
        """)
  }

  @Test func limitAndOffset() async throws {
    try await file.expect(
      of: "Employee", order: "name", offset: 1, limit: 2,
      oracle: "SELECT name FROM Employee ORDER BY name, _id LIMIT 2 OFFSET 1",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`name`, `t0`.`_id`
        LIMIT 2
        OFFSET 1

        Cyd
        Dee
        """)
  }

  @Test func offsetAlone() async throws {
    try await file.expect(
      of: "Employee", offset: 3,
      oracle: "SELECT name FROM Employee ORDER BY _id LIMIT -1 OFFSET 3",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`
        LIMIT -1
        OFFSET 3

        Dee
        Élodie
        """)
  }

  @Test func aPageBehindAKey() async throws {
    try await file.expect(
      of: "Employee", where: "SELF > 2", limit: 2,
      oracle: "SELECT name FROM Employee WHERE _id > 2 ORDER BY _id LIMIT 2",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`_id` > 2
        ORDER BY `t0`.`_id`
        LIMIT 2

        Cyd
        Dee
        """)
  }

  @Test func objects() async throws {
    try await file.expectObjects(
      of: "Employee", where: "name == 'Ann'",
      oracle: """
        SELECT _id, name, age, salary, email, hex(photo), CAST(bonus AS REAL), company FROM \
        Employee WHERE name = 'Ann'
        """,
      is: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`age`, `t0`.`salary`, `t0`.`email`, `t0`.`photo`,
          `t0`.`bonus`, `t0`.`company`
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` = 'Ann'
        ORDER BY `t0`.`_id`

        1|Ann|30|10.5|ann@acme|CAFE|9.5|1
        """)
  }

  @Test func keys() async throws {
    try await file.expect(
      oracle: "SELECT _id FROM Employee WHERE age > 20 ORDER BY name, _id",
      is: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` > 20
        ORDER BY `t0`.`name`, `t0`.`_id`

        1
        4
        2
        5
        """
    ) {
      try $0.fetchKeys(try file.request("Employee", "age > 20", order: "name")).map {
        [.key($0)]
      }
    }
  }

  @Test func numberOfRows() async throws {
    try await file.expect(
      oracle: "SELECT count(*) FROM Employee WHERE age = 30",
      is: """
        SELECT count(*)
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` = 30

        2
        """
    ) {
      [[.integer(Int64(try $0.count(try file.request("Employee", "age == 30"))))]]
    }
  }

  @Test func numberOfRowsInAWindow() async throws {
    try await file.expect(
      oracle: "SELECT count(*) FROM (SELECT 1 FROM Employee LIMIT 4 OFFSET 3)",
      is: """
        SELECT count(*)
        FROM (SELECT 1 FROM `Employee` AS `t0` LIMIT 4 OFFSET 3)

        2
        """
    ) {
      [[.integer(Int64(try $0.count(try file.request("Employee", offset: 3, limit: 4))))]]
    }
  }

  @Test func sections() async throws {
    try await file.expect(
      oracle: """
        SELECT c.name, count(*) FROM Employee e LEFT JOIN Company c ON c._id = e.company \
        GROUP BY 1 ORDER BY 1
        """,
      is: """
        SELECT `t1`.`name`, count(*)
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        GROUP BY `t1`.`name`
        ORDER BY `t1`.`name`

        NULL|1
        Acme|2
        Zeta|2
        """
    ) {
      try await $0.answer(
        SectionsQuestion(try file.request("Employee"), groupBy: ["company", "name"])
      )
      .map { [$0.value, .integer(Int64($0.count))] }
    }
  }

  @Test func keysInSections() async throws {
    try await file.expect(
      oracle: "SELECT company, _id FROM Employee ORDER BY company, name, _id",
      is: """
        SELECT `t0`.`_id`, `t0`.`company`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`company`, `t0`.`name`, `t0`.`_id`

        NULL|4
        1|1
        1|2
        2|3
        2|5
        """
    ) {
      let list = try await $0.answer(
        KeyListQuestion(try file.request("Employee", order: "name"), groupBy: ["company"]))
      return list.sections.indices.flatMap { section in
        (0..<list.sections[section].count).map { row in
          [
            list.sections[section].value,
            .key(list.keys[list.starts[section] + row]),
          ]
        }
      }
    }
  }

  @Test func allKeysInTheirOrder() async throws {
    try await file.expect(
      oracle: "SELECT _id FROM Task ORDER BY _id",
      is: """
        SELECT (SELECT min(`_id`) FROM `Task`), (SELECT max(`_id`) FROM `Task`)
        SELECT count(*)
        FROM `Task` AS `t0`

        1
        2
        3
        """
    ) {
      try await $0.answer(KeyListQuestion(try file.request("Task"))).keys.map { [.key($0)] }
    }
  }
}
