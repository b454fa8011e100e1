import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// By foreign keys, by places in an order, and by tables of pairs.
@Suite("Members of relationships as SQL")
struct RelationTextTests {
  private let wordings = Wordings()

  func link(_ name: String, of entity: String) throws -> RelationshipLink {
    try #require(
      try wordings.entity(entity).links[try wordings.slot(name, of: entity)])
  }

  @Test func relatedKeysByAForeignKey() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` = ?1
        ORDER BY `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" = $1
        ORDER BY "t0"."_id"
        """
    ) {
      $0.relatedKeys(
        try wordings.entity("Company").index, try wordings.slot("employees", of: "Company"))
    }
  }

  @Test func relatedKeysInTheirOrder() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`
        FROM `Task` AS `t0`
        WHERE `t0`.`owner` = ?1
        ORDER BY `t0`.`_order_tasks` IS NULL, `t0`.`_order_tasks`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id"
        FROM "Task" AS "t0"
        WHERE "t0"."owner" = $1
        ORDER BY "t0"."_order_tasks" IS NULL, "t0"."_order_tasks", "t0"."_id"
        """
    ) {
      $0.relatedKeys(
        try wordings.entity("Employee").index, try wordings.slot("tasks", of: "Employee"))
    }
  }

  @Test func relatedKeysOfPairs() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t1`.`tags`
        FROM `Employee_tags` AS `t1`
        WHERE `t1`.`Employee` = ?1
        ORDER BY `t1`.`tags`
        """,
      postgreSQL: """
        SELECT "t1"."tags"
        FROM "Employee_tags" AS "t1"
        WHERE "t1"."Employee" = $1
        ORDER BY "t1"."tags"
        """
    ) {
      $0.relatedKeys(
        try wordings.entity("Employee").index, try wordings.slot("tags", of: "Employee"))
    }
  }

  @Test func relatedKeysOfPairsFromTheOtherSide() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t1`.`Employee`
        FROM `Employee_tags` AS `t1`
        WHERE `t1`.`tags` = ?1
        ORDER BY `t1`.`Employee`
        """,
      postgreSQL: """
        SELECT "t1"."Employee"
        FROM "Employee_tags" AS "t1"
        WHERE "t1"."tags" = $1
        ORDER BY "t1"."Employee"
        """
    ) {
      $0.relatedKeys(try wordings.entity("Tag").index, try wordings.slot("employees", of: "Tag"))
    }
  }

  @Test func relatedRowsByAForeignKey() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`age`, `t0`.`salary`, `t0`.`email`, `t0`.`photo`,
          `t0`.`bonus`, `t0`.`company`, `t0`.`company`
        FROM `Employee` AS `t0`
        WHERE `t0`.`company` IN (SELECT value FROM json_each(?1)) AND typeof(`t0`.`company`) =
          'integer'
        ORDER BY `t0`.`company`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."name", "t0"."age", "t0"."salary", "t0"."email", "t0"."photo",
          "t0"."bonus", "t0"."company", "t0"."company"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" = ANY($1::int8[]) AND "t0"."company" IS NOT NULL
        ORDER BY "t0"."company", "t0"."_id"
        """
    ) {
      $0.relatedRows(try link("employees", of: "Company"))
    }
  }

  @Test func relatedRowsInTheirOrder() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`_id`, `t0`.`title`, `t0`.`done`, `t0`.`estimate`, `t0`.`owner`,
          `t0`.`owner`
        FROM `Task` AS `t0`
        WHERE `t0`.`owner` IN (SELECT value FROM json_each(?1)) AND typeof(`t0`.`owner`) =
          'integer'
        ORDER BY `t0`.`owner`, `t0`.`_order_tasks` IS NULL, `t0`.`_order_tasks`, `t0`.`_id`
        """,
      postgreSQL: """
        SELECT "t0"."_id", "t0"."title", "t0"."done", "t0"."estimate", "t0"."owner",
          "t0"."owner"
        FROM "Task" AS "t0"
        WHERE "t0"."owner" = ANY($1::int8[]) AND "t0"."owner" IS NOT NULL
        ORDER BY "t0"."owner", "t0"."_order_tasks" IS NULL, "t0"."_order_tasks", "t0"."_id"
        """
    ) {
      $0.relatedRows(try link("tasks", of: "Employee"))
    }
  }

  @Test func relatedRowsOfPairs() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t1`.`_id`, `t1`.`label`, `t0`.`Employee`
        FROM `Employee_tags` AS `t0`
        JOIN `Tag` AS `t1`
        WHERE `t0`.`Employee` IN (SELECT value FROM json_each(?1)) AND `t1`.`_id` = `t0`.`tags`
        ORDER BY `t0`.`Employee`, `t1`.`_id`
        """,
      postgreSQL: """
        SELECT "t1"."_id", "t1"."label", "t0"."Employee"
        FROM "Employee_tags" AS "t0"
        CROSS JOIN "Tag" AS "t1"
        WHERE "t0"."Employee" = ANY($1::int8[]) AND "t1"."_id" = "t0"."tags"
        ORDER BY "t0"."Employee", "t1"."_id"
        """
    ) {
      $0.relatedRows(try link("tags", of: "Employee"))
    }
  }

  @Test func numbersOfMembers() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`company` AS "owner", count(*) AS "number"
        FROM `Employee` AS `t0`
        WHERE typeof(`t0`.`company`) = 'integer'
        GROUP BY `t0`.`company`
        """,
      postgreSQL: """
        SELECT "t0"."company" AS "owner", count(*) AS "number"
        FROM "Employee" AS "t0"
        WHERE "t0"."company" IS NOT NULL
        GROUP BY "t0"."company"
        """
    ) {
      $0.memberCounts(try link("employees", of: "Company"), where: nil)
    }
  }

  @Test func numbersOfPairs() throws {
    try wordings.expect(
      sqlite: """
        SELECT `t0`.`Employee` AS "owner", count(*) AS "number"
        FROM `Employee_tags` AS `t0`
        GROUP BY `t0`.`Employee`
        """,
      postgreSQL: """
        SELECT "t0"."Employee" AS "owner", count(*) AS "number"
        FROM "Employee_tags" AS "t0"
        GROUP BY "t0"."Employee"
        """
    ) {
      $0.memberCounts(try link("tags", of: "Employee"), where: nil)
    }
  }
}
