import DatastoreCore
import Testing

@Suite("Paths: request, SQL, rows")
struct PathGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func toOne() async throws {
    try await file.expect(
      of: "Employee", where: "company.name == 'Acme'",
      oracle: """
        SELECT e.name FROM Employee e JOIN Company c ON c._id = e.company WHERE c.name = \
        'Acme' ORDER BY e._id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        LEFT JOIN `Company` AS `t1` ON `t1`.`_id` = `t0`.`company`
        WHERE `t1`.`name` = 'Acme'
        ORDER BY `t0`.`_id`

        Ann
        bob
        """)
  }

  @Test func missingToOne() async throws {
    try await file.expect(
      of: "Employee", where: "company == NULL",
      oracle: "SELECT name FROM Employee WHERE company IS NULL ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` IS NULL
        ORDER BY `t0`.`_id`

        Dee
        """)
  }

  @Test func reference() async throws {
    try await file.expect(
      of: "Employee", where: "company == 2",
      oracle: "SELECT name FROM Employee WHERE company = 2 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` = 2
        ORDER BY `t0`.`_id`

        Cyd
        Élodie
        """)
  }

  @Test func shownThroughToOne() async throws {
    try await file.expect(
      "title,owner.company.name", of: "Task",
      oracle: """
        SELECT t.title, c.name FROM Task t LEFT JOIN Employee e ON e._id = t.owner LEFT JOIN \
        Company c ON c._id = e.company ORDER BY t._id
        """,
      is: """
        SELECT `t0`.`title`, `t2`.`name`
        FROM `Task` AS `t0`
        LEFT JOIN `Employee` AS `t1` ON `t1`.`_id` = `t0`.`owner`
        LEFT JOIN `Company` AS `t2` ON `t2`.`_id` = `t1`.`company`
        ORDER BY `t0`.`_id`

        plan|Acme
        build|Acme
        test|Acme
        """)
  }

  @Test func anyOfToMany() async throws {
    try await file.expect(
      of: "Employee", where: "ANY tasks.estimate > 4",
      oracle: """
        SELECT name FROM Employee WHERE _id IN (SELECT owner FROM Task WHERE estimate > 4) \
        ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`estimate` > 4)
        ORDER BY `t0`.`_id`

        Ann
        bob
        """)
  }

  @Test func allOfToMany() async throws {
    try await file.expect(
      of: "Employee", where: "ALL tasks.done == YES",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT owner FROM Task WHERE done IS NOT \
        1) ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE NOT EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          ((`t2`.`done` = 1) IS NOT TRUE))
        ORDER BY `t0`.`_id`

        bob
        Cyd
        Dee
        Élodie
        """)
  }

  @Test func noneOfToMany() async throws {
    try await file.expect(
      of: "Employee", where: "NONE tasks.title == 'plan'",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT owner FROM Task WHERE title = \
        'plan') ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE NOT EXISTS (SELECT 1 FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner` AND
          `t2`.`title` = 'plan')
        ORDER BY `t0`.`_id`

        bob
        Cyd
        Dee
        Élodie
        """)
  }

  @Test func anyThroughAJoinTable() async throws {
    try await file.expect(
      of: "Employee", where: "ANY tags.label == 'red'",
      oracle: """
        SELECT name FROM Employee WHERE _id IN (SELECT Employee FROM Employee_tags JOIN Tag \
        ON Tag._id = tags WHERE label = 'red') ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE `t0`.`_id`
          = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags` AND `t2`.`label` = 'red')
        ORDER BY `t0`.`_id`

        Ann
        Cyd
        """)
  }

  @Test func theOtherSideOfAJoinTable() async throws {
    try await file.expect(
      "label", of: "Tag", where: "ANY employees.name == 'Cyd'",
      oracle: """
        SELECT label FROM Tag WHERE _id IN (SELECT tags FROM Employee_tags WHERE Employee = \
        3) ORDER BY _id
        """,
      is: """
        SELECT `t0`.`label`
        FROM `Tag` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee_tags` AS `t1` JOIN `Employee` AS `t2` WHERE
          `t0`.`_id` = `t1`.`tags` AND `t2`.`_id` = `t1`.`Employee` AND `t2`.`name` = 'Cyd')
        ORDER BY `t0`.`_id`

        red
        blue
        """)
  }

  @Test func severalToManySteps() async throws {
    try await file.expect(
      of: "Company", where: "ANY employees.tasks.title == 'test'",
      oracle: "SELECT name FROM Company WHERE _id = 1 ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Company` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `Employee` AS `t2` JOIN `Task` AS `t4` WHERE `t0`.`_id` =
          `t2`.`company` AND `t2`.`_id` = `t4`.`owner` AND `t4`.`title` = 'test')
        ORDER BY `t0`.`_id`

        Acme
        """)
  }

  @Test func count() async throws {
    try await file.expect(
      of: "Employee", where: "tasks.@count > 1",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT count(*) FROM Task WHERE owner = \
        Employee._id) > 1 ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`) > 1
        ORDER BY `t0`.`_id`

        Ann
        """)
  }

  @Test func countOfPairs() async throws {
    try await file.expect(
      of: "Employee", where: "tags.@count == 0",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT Employee FROM Employee_tags) \
        ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (SELECT count(`t2`.`_id`) FROM `Employee_tags` AS `t1` JOIN `Tag` AS `t2` WHERE
          `t0`.`_id` = `t1`.`Employee` AND `t2`.`_id` = `t1`.`tags`) = 0
        ORDER BY `t0`.`_id`

        bob
        Dee
        Élodie
        """)
  }

  @Test func sum() async throws {
    try await file.expect(
      of: "Employee", where: "tasks.@sum.estimate == 8",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT sum(estimate) FROM Task WHERE owner = \
        Employee._id) = 8 ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (SELECT datastore_sum(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` =
          `t2`.`owner`) = 8
        ORDER BY `t0`.`_id`

        Ann
        bob
        """)
  }

  @Test func greatest() async throws {
    try await file.expect(
      of: "Employee", where: "tasks.@max.estimate < 8",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT max(estimate) FROM Task WHERE owner = \
        Employee._id) < 8 ORDER BY _id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `Employee` AS `t0`
        WHERE (SELECT max(`t2`.`estimate`) FROM `Task` AS `t2` WHERE `t0`.`_id` = `t2`.`owner`)
          < 8
        ORDER BY `t0`.`_id`

        Ann
        """)
  }
}
