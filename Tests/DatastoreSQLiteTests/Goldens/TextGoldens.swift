import DatastoreCore
import Testing

@Suite("Text: request, SQL, rows")
struct TextGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func equal() async throws {
    try await file.expect(
      of: "Employee", where: "name == 'Ann'",
      oracle: "SELECT name FROM Employee WHERE name = 'Ann' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` = 'Ann'
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func equalWithoutCase() async throws {
    try await file.expect(
      of: "Employee", where: "name ==[c] 'BOB'",
      oracle: "SELECT name FROM Employee WHERE lower(name) = 'bob' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_fold(`t0`.`name`, 1) = datastore_fold('BOB', 1)
        ORDER BY `t0`.`_id`

        bob
        """)
  }

  @Test func equalWithoutMarks() async throws {
    try await file.expect(
      of: "Employee", where: "name ==[cd] 'elodie'",
      oracle: "SELECT name FROM Employee WHERE name = 'Élodie' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_fold(`t0`.`name`, 3) = datastore_fold('elodie', 3)
        ORDER BY `t0`.`_id`

        Élodie
        """)
  }

  @Test func beginsWithIsARangeOfAnIndex() async throws {
    try await file.expect(
      of: "Employee", where: "name BEGINSWITH 'C'",
      oracle: "SELECT name FROM Employee WHERE name GLOB 'C*' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (`t0`.`name` >= 'C' AND `t0`.`name` < 'D')
        ORDER BY `t0`.`_id`

        Cyd
        """)
  }

  @Test func beginsWithWithoutCase() async throws {
    try await file.expect(
      of: "Employee", where: "name BEGINSWITH[c] 'B'",
      oracle: "SELECT name FROM Employee WHERE name LIKE 'b%' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (length(CAST(datastore_fold(`t0`.`name`, 1) AS BLOB)) >=
          length(CAST(datastore_fold('B', 1) AS BLOB)) AND
          coalesce(substr(CAST(datastore_fold(`t0`.`name`, 1) AS BLOB), 1,
          length(CAST(datastore_fold('B', 1) AS BLOB))), x'') = CAST(datastore_fold('B', 1) AS
          BLOB))
        ORDER BY `t0`.`_id`

        bob
        """)
  }

  @Test func contains() async throws {
    try await file.expect(
      of: "Employee", where: "name CONTAINS 'e'",
      oracle: "SELECT name FROM Employee WHERE instr(name, 'e') ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE instr(`t0`.`name`, 'e') > 0
        ORDER BY `t0`.`_id`

        Dee
        Élodie
        """)
  }

  @Test func endsWith() async throws {
    try await file.expect(
      of: "Employee", where: "name ENDSWITH 'd'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '*d' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (length(CAST(`t0`.`name` AS BLOB)) >= length(CAST('d' AS BLOB)) AND
          coalesce(substr(CAST(`t0`.`name` AS BLOB), length(CAST(`t0`.`name` AS BLOB)) -
          length(CAST('d' AS BLOB)) + 1), x'') = CAST('d' AS BLOB))
        ORDER BY `t0`.`_id`

        Cyd
        """)
  }

  @Test func like() async throws {
    try await file.expect(
      of: "Employee", where: "name LIKE '?n*'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '?n*' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_like(`t0`.`name`, '?n*', 0)
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func matches() async throws {
    try await file.expect(
      of: "Employee", where: "name MATCHES '[A-C].*'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '[A-C]*' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE datastore_matches(`t0`.`name`, '[A-C].*', 0)
        ORDER BY `t0`.`_id`

        Ann
        Cyd
        """)
  }

  @Test func orderOfText() async throws {
    try await file.expect(
      of: "Employee", where: "name > 'Cyd'",
      oracle: "SELECT name FROM Employee WHERE name > 'Cyd' ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`name` > 'Cyd'
        ORDER BY `t0`.`_id`

        bob
        Dee
        Élodie
        """)
  }
}
