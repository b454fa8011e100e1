import DatastoreCore
import Testing

@Suite("Comparisons: request, SQL, rows")
struct ComparisonGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func equalToAValue() async throws {
    try await file.expect(
      of: "Employee", where: "age == 30",
      oracle: "SELECT name FROM Employee WHERE age = 30 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` = 30
        ORDER BY `t0`.`_id`

        Ann
        Dee
        """)
  }

  @Test func notEqualCountsMissingValues() async throws {
    try await file.expect(
      of: "Employee", where: "age != 30",
      oracle: "SELECT name FROM Employee WHERE age IS NOT 30 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` IS NOT 30
        ORDER BY `t0`.`_id`

        bob
        Cyd
        Élodie
        """)
  }

  @Test func less() async throws {
    try await file.expect(
      of: "Employee", where: "age < 40",
      oracle: "SELECT name FROM Employee WHERE age < 40 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` < 40
        ORDER BY `t0`.`_id`

        Ann
        Dee
        Élodie
        """)
  }

  @Test func atLeastByDouble() async throws {
    try await file.expect(
      of: "Employee", where: "salary >= 7.5",
      oracle: "SELECT name FROM Employee WHERE salary >= 7.5 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`salary` >= 7.5
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func missing() async throws {
    try await file.expect(
      of: "Employee", where: "age == NULL",
      oracle: "SELECT name FROM Employee WHERE age IS NULL ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` IS NULL
        ORDER BY `t0`.`_id`

        Cyd
        """)
  }

  @Test func present() async throws {
    try await file.expect(
      of: "Employee", where: "age != NULL",
      oracle: "SELECT name FROM Employee WHERE age IS NOT NULL ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`age` IS NOT NULL
        ORDER BY `t0`.`_id`

        Ann
        bob
        Dee
        Élodie
        """)
  }

  @Test func between() async throws {
    try await file.expect(
      of: "Employee", where: "age BETWEEN {25, 30}",
      oracle: "SELECT name FROM Employee WHERE age BETWEEN 25 AND 30 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`age` >= 25 AND `t0`.`age` <= 30)
        ORDER BY `t0`.`_id`

        Ann
        Dee
        Élodie
        """)
  }

  @Test func inAList() async throws {
    try await file.expect(
      of: "Employee", where: "age IN {25, 40}",
      oracle: "SELECT name FROM Employee WHERE age IN (25, 40) ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`age` IN (25, 40))
        ORDER BY `t0`.`_id`

        bob
        Élodie
        """)
  }

  @Test func inAListWithNull() async throws {
    try await file.expect(
      of: "Employee", where: "age IN {40, NULL}",
      oracle: "SELECT name FROM Employee WHERE age = 40 OR age IS NULL ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`age` IS NULL OR `t0`.`age` IN (40))
        ORDER BY `t0`.`_id`

        bob
        Cyd
        """)
  }

  @Test func and() async throws {
    try await file.expect(
      of: "Employee", where: "age == 30 AND salary > 1",
      oracle: "SELECT name FROM Employee WHERE age = 30 AND salary > 1 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`age` = 30 AND `t0`.`salary` > 1)
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func or() async throws {
    try await file.expect(
      of: "Employee", where: "name == 'Ann' OR age == 40",
      oracle: "SELECT name FROM Employee WHERE name = 'Ann' OR age = 40 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`name` = 'Ann' OR `t0`.`age` = 40)
        ORDER BY `t0`.`_id`

        Ann
        bob
        """)
  }

  @Test func notIsTwoValued() async throws {
    try await file.expect(
      of: "Employee", where: "NOT age < 40",
      oracle: "SELECT name FROM Employee WHERE age >= 40 OR age IS NULL ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE ((`t0`.`age` < 40) IS NOT TRUE)
        ORDER BY `t0`.`_id`

        bob
        Cyd
        """)
  }

  @Test func constants() async throws {
    try await file.expect(
      of: "Employee", where: "TRUEPREDICATE",
      oracle: "SELECT name FROM Employee ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        ORDER BY `t0`.`_id`

        Ann
        bob
        Cyd
        Dee
        Élodie
        """)
    try await file.expect(
      of: "Employee", where: "FALSEPREDICATE",
      oracle: "SELECT name FROM Employee WHERE 0 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE 0
        ORDER BY `t0`.`_id`

        """)
  }

  @Test func arithmetic() async throws {
    try await file.expect(
      of: "Employee", where: "age + 10 == 40",
      oracle: "SELECT name FROM Employee WHERE age + 10 = 40 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`age` + 10) = 40
        ORDER BY `t0`.`_id`

        Ann
        Dee
        """)
  }

  @Test func propertiesWithEachOther() async throws {
    try await file.expect(
      of: "Employee", where: "salary < age",
      oracle: "SELECT name FROM Employee WHERE salary < age ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`salary` < `t0`.`age`
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func decimalsCompareAsNumbers() async throws {
    try await file.expect(
      of: "Employee", where: "bonus < 10",
      oracle: "SELECT name FROM Employee WHERE CAST(bonus AS REAL) < 10 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_decimal(`t0`.`bonus`) < 10
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func boolean() async throws {
    try await file.expect(
      "title", of: "Task", where: "done == YES",
      oracle: "SELECT title FROM Task WHERE done = 1 ORDER BY _id",
      is: """
        SELECT `t0`.`title`
        FROM `Task` AS `t0`
        WHERE `t0`.`done` = 1
        ORDER BY `t0`.`_id`

        plan
        test
        """)
  }

  @Test func key() async throws {
    try await file.expect(
      of: "Employee", where: "SELF == 2",
      oracle: "SELECT name FROM Employee WHERE _id = 2 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`_id` = 2
        ORDER BY `t0`.`_id`

        bob
        """)
  }

  @Test func blob() async throws {
    try await file.expect(
      "photo", of: "Employee", where: "photo != NULL",
      oracle: "SELECT hex(photo) FROM Employee WHERE photo IS NOT NULL ORDER BY _id",
      is: """
        SELECT `t0`.`photo`
        FROM `Employee` AS `t0`
        WHERE `t0`.`photo` IS NOT NULL
        ORDER BY `t0`.`_id`

        CAFE
        """)
  }
}
