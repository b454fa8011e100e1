import DatastoreCore
import DatastoreSQLite
import DatastoreTestSupport
import Testing

@Suite("Relationships of our own files: request, SQL, rows")
struct NativeMappingGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.company()
  }

  @Test func membersByAForeignKey() async throws {
    try await file.expect(
      oracle: "SELECT _id FROM Employee WHERE company = 1 ORDER BY _id",
      is: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` = 1
        ORDER BY `t0`.`_id`

        1
        2
        """
    ) {
      try $0.relatedKeys(
        entity: try file.entity("Company").index, slot: try file.slot("employees", of: "Company"),
        key: 1
      ).map { [.key($0)] }
    }
  }

  @Test func membersInTheirOrder() async throws {
    try await file.expect(
      oracle: "SELECT _id FROM Task WHERE owner = 1 ORDER BY _order_tasks",
      is: """
        SELECT `t0`.`_id`
        FROM `Task` AS `t0`
        WHERE `t0`.`owner` = 1
        ORDER BY `t0`.`_order_tasks` IS NULL, `t0`.`_order_tasks`, `t0`.`_id`

        2
        1
        """
    ) {
      try $0.relatedKeys(
        entity: try file.entity("Employee").index, slot: try file.slot("tasks", of: "Employee"),
        key: 1
      ).map { [.key($0)] }
    }
  }

  @Test func membersByAJoinTable() async throws {
    try await file.expect(
      oracle: "SELECT tags FROM Employee_tags WHERE Employee = 3 ORDER BY tags",
      is: """
        SELECT `t1`.`tags`
        FROM `Employee_tags` AS `t1`
        WHERE `t1`.`Employee` = 3
        ORDER BY `t1`.`tags`

        1
        2
        """
    ) {
      try $0.relatedKeys(
        entity: try file.entity("Employee").index, slot: try file.slot("tags", of: "Employee"),
        key: 3
      ).map { [.key($0)] }
    }
  }

  @Test func membersOfManyOwners() async throws {
    try await file.expect(
      is: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`age`, `t0`.`salary`, `t0`.`email`, `t0`.`photo`,
          `t0`.`bonus`, `t0`.`company`, `t0`.`company`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` IN (SELECT value FROM json_each('[1,2]')) AND
          typeof(`t0`.`company`) = 'integer'
        ORDER BY `t0`.`company`, `t0`.`_id`

        1|1|2
        2|3|5
        """
    ) {
      let rows = try $0.relatedRows(
        entity: try file.entity("Company").index, slot: try file.slot("employees", of: "Company"),
        keys: [1, 2])
      return rows.members.sorted { $0.key < $1.key }.map {
        ([$0.key] + $0.value).map { .key($0) }
      }
    }
  }

  @Test func numbersOfMembers() async throws {
    try await file.expect(
      oracle: "SELECT Employee, count(*) FROM Employee_tags WHERE Employee IN (1, 2, 3) GROUP BY 1",
      is: """
        SELECT `t0`.`Employee` AS "owner", count(*) AS "number"
        FROM `Employee_tags` AS `t0`
        WHERE `t0`.`Employee` IN (SELECT value FROM json_each('[1,2,3]'))
        GROUP BY `t0`.`Employee`

        1|1
        3|2
        """
    ) {
      let counts = try await $0.answer(
        RelatedCountsQuestion(
          entity: try file.entity("Employee").index, slot: try file.slot("tags", of: "Employee"),
          keys: [1, 2, 3]))
      return counts.sorted { $0.key < $1.key }.map {
        [.key($0.key), .integer(Int64($0.value))]
      }
    }
  }

  @Test func manyRowsByTheirKeys() async throws {
    try await file.expect(
      oracle: "SELECT _id, label FROM Tag",
      is: """
        SELECT `t0`.`_id`, `t0`.`label`
        FROM `Tag` AS `t0`
        WHERE `t0`.`_id` IN (SELECT value FROM
          json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]'))

        1|red
        2|blue
        """
    ) {
      let keys = [RowKey](1...20)
      let pages = try $0.rows(entity: try file.entity("Tag").index, keys: keys)
      return GoldenFile.rows(of: pages, in: try file.entity("Tag"))
    }
  }
}
