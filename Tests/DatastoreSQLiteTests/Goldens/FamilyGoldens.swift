import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import Testing

@Suite("Families in one table: request, SQL, rows")
struct FamilyGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.family()
  }

  @Test func all() async throws {
    try await file.expect(
      of: "Asset",
      oracle: "SELECT name FROM Asset ORDER BY _id",
      is: """
        SELECT `t0`.`name`
        FROM `Asset` AS `t0`
        ORDER BY `t0`.`_id`

        van
        thin
        old
        """)
  }

  @Test func oneOfThem() async throws {
    try await file.expect(
      of: "Laptop", where: "memory > 8",
      oracle: "SELECT name FROM Asset WHERE _entity = 'Laptop' AND memory > 8",
      is: """
        SELECT `t0`.`name`
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop') AND `t0`.`memory` > 8
        ORDER BY `t0`.`_id`

        thin
        """)
  }

  @Test func number() async throws {
    try await file.expect(
      oracle: "SELECT count(*) FROM Asset WHERE _entity = 'Laptop'",
      is: """
        SELECT count(*)
        FROM `Asset` AS `t0`
        WHERE `t0`.`_entity` IN ('Laptop')

        2
        """
    ) {
      [[.integer(Int64(try $0.count(try file.request("Laptop"))))]]
    }
  }

  @Test func objectsOfSeveralEntities() async throws {
    try await file.expect(
      oracle: "SELECT _id, _entity, name FROM Asset ORDER BY _id",
      is: """
        SELECT `t0`.`_id`, `t0`.`name`, `t0`.`doors`, `t0`.`memory`, `t0`.`_entity`
        FROM `Asset` AS `t0`
        ORDER BY `t0`.`_id`

        1|Car|van
        2|Laptop|thin
        3|Laptop|old
        """
    ) {
      let store = $0
      let asset = try file.entity("Asset")
      return try store.fetch(try file.request("Asset")).flatMap { page in
        (0..<page.rowCount).map { row in
          let entity = store.schema.entities[asset.index(ofRow: row, in: page)]
          return [
            .key(page.key(ofRow: row)), .text(entity.name), page.value(row: row, slot: 0),
          ]
        }
      }
    }
  }
}
