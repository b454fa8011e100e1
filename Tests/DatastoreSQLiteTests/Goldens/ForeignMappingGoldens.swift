import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import Testing

@Suite("Tables of other programs: request, SQL, rows")
struct ForeignMappingGoldens {
  let file: GoldenFile

  init() throws {
    file = try GoldenFile.shop()
  }

  @Test func rowid() async throws {
    try await file.expect(
      of: "customer", where: "age > 20",
      oracle: "SELECT name FROM customer WHERE age > 20 ORDER BY id",
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE `t0`.`age` > 20
        ORDER BY `t0`.`id`

        Ann
        bob
        """)
  }

  @Test func textAmongNumbers() async throws {
    try await file.expect(
      of: "customer", where: "age == 'old'",
      oracle: "SELECT name FROM customer WHERE age = 'old'",
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE `t0`.`age` = 'old'
        ORDER BY `t0`.`id`

        bob
        """)
  }

  @Test func collationOfTheFile() async throws {
    try await file.expect(
      of: "customer", where: "name == 'BOB'",
      oracle: "SELECT name FROM customer WHERE name = 'BOB' COLLATE BINARY",
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE `t0`.`name` COLLATE BINARY = 'BOB'
        ORDER BY `t0`.`id`

        """)
  }

  @Test func hiddenRowid() async throws {
    try await file.expect(
      "body", of: "note",
      oracle: "SELECT body FROM note ORDER BY rowid",
      is: """
        SELECT `t0`.`body`
        FROM `note` AS `t0`
        ORDER BY `t0`.`rowid`

        first
        second
        """)
  }

  @Test func textKeyWithoutRowid() async throws {
    try await file.expect(
      "code", of: "country", where: "name BEGINSWITH 'N'",
      oracle: "SELECT code FROM country WHERE name GLOB 'N*'",
      is: """
        SELECT `t0`.`code`
        FROM `country` AS `t0`
        WHERE (`t0`.`name` >= 'N' AND `t0`.`name` < 'O')
        ORDER BY datastore_key(0, `t0`.`code`)

        no
        """)
  }

  @Test func referenceToATextKey() async throws {
    try await file.expect(
      of: "customer", where: "country.name == 'France'",
      oracle: """
        SELECT c.name FROM customer c JOIN country o ON o.code = c.country WHERE o.name = \
        'France'
        """,
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        LEFT JOIN `country` AS `t1` ON `t1`.`code` = `t0`.`country`
        WHERE `t1`.`name` = 'France'
        ORDER BY `t0`.`id`

        Ann
        """)
  }

  @Test func compositeKey() async throws {
    try await file.expect(
      "region,number,title", of: "item", where: "price > 10", order: "region, number",
      oracle: "SELECT region, number, title FROM item WHERE price > 10 ORDER BY region, number",
      is: """
        SELECT `t0`.`region`, `t0`.`number`, `t0`.`title`
        FROM `item` AS `t0`
        WHERE `t0`.`price` > 10
        ORDER BY `t0`.`region`, `t0`.`number`, datastore_key(2, `t0`.`region`, `t0`.`number`)

        east|1|lamp
        east|2|desk
        """)
  }

  @Test func referenceToACompositeKey() async throws {
    try await file.expect(
      "id", of: "sale", where: "item.title == 'desk'",
      oracle: """
        SELECT s.id FROM sale s JOIN item i ON i.region = s.region AND i.number = s.number \
        WHERE i.title = 'desk'
        """,
      is: """
        SELECT `t0`.`id`
        FROM `sale` AS `t0`
        LEFT JOIN `item` AS `t1` ON `t1`.`region` = `t0`.`region` AND `t1`.`number` =
          `t0`.`number`
        WHERE `t1`.`title` = 'desk'
        ORDER BY `t0`.`id`

        2
        """)
  }

  @Test func referenceToAUniqueColumn() async throws {
    try await file.expect(
      "id", of: "sale", where: "card.name == 'Ann'",
      oracle: """
        SELECT s.id FROM sale s JOIN customer c ON c.card = s.card WHERE c.name = 'Ann' \
        ORDER BY s.id
        """,
      is: """
        SELECT `t0`.`id`
        FROM `sale` AS `t0`
        LEFT JOIN `customer` AS `t1` ON `t1`.`card` = `t0`.`card`
        WHERE `t1`.`name` COLLATE BINARY = 'Ann'
        ORDER BY `t0`.`id`

        1
        3
        """)
  }

  @Test func membersByAUniqueColumn() async throws {
    try await file.expect(
      of: "customer", where: "ANY sale.amount > 5",
      oracle: "SELECT name FROM customer WHERE card IN (SELECT card FROM sale WHERE amount > 5)",
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `sale` AS `t2` WHERE `t0`.`card` = `t2`.`card` AND
          `t2`.`amount` > 5)
        ORDER BY `t0`.`id`

        Ann
        """)
  }

  @Test func pairs() async throws {
    try await file.expect(
      of: "customer", where: "ANY label.word == 'new'",
      oracle: """
        SELECT name FROM customer WHERE id IN (SELECT customer_id FROM customer_label JOIN \
        label l ON l.id = label_id WHERE word = 'new') ORDER BY id
        """,
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `customer_label` AS `t1` JOIN `label` AS `t2` WHERE
          `t0`.`id` = `t1`.`customer_id` AND `t2`.`id` = `t1`.`label_id` AND `t2`.`word` =
          'new')
        ORDER BY `t0`.`id`

        Ann
        """)
  }

  @Test func countOfPairs() async throws {
    try await file.expect(
      of: "customer", where: "label.@count == 2",
      oracle: """
        SELECT name FROM customer WHERE (SELECT count(*) FROM customer_label WHERE \
        customer_id = customer.id) = 2
        """,
      is: """
        SELECT `t0`.`name`
        FROM `customer` AS `t0`
        WHERE (SELECT count(`t2`.`id`) FROM `customer_label` AS `t1` JOIN `label` AS `t2` WHERE
          `t0`.`id` = `t1`.`customer_id` AND `t2`.`id` = `t1`.`label_id`) = 2
        ORDER BY `t0`.`id`

        Ann
        """)
  }

  @Test func membersOfATextKey() async throws {
    try await file.expect(
      is: """
        SELECT datastore_key(0, `t0`.`code`)
        FROM `country` AS `t0`
        ORDER BY datastore_key(0, `t0`.`code`)
        SELECT datastore_key(0, `t0`.`code`), `t0`.`code`, `t0`.`name`
        FROM `country` AS `t0`
        WHERE `t0`.`code` = datastore_key_value(0, 1, 0)
        SELECT datastore_key(0, `t0`.`code`), `t0`.`code`, `t0`.`name`
        FROM `country` AS `t0`
        WHERE `t0`.`code` = datastore_key_value(0, 2, 0)
        SELECT `t0`.`id`
        FROM `customer` AS `t0`
        WHERE EXISTS (SELECT 1 FROM `country` AS `t2` WHERE `t2`.`code` = datastore_key_value(0,
          1, 0) AND `t2`.`code` = `t0`.`country`)
        ORDER BY `t0`.`id`

        1
        """
    ) {
      let country = try file.entity("country")
      let keys = try $0.fetchKeys(try file.request("country"))
      _ = try $0.rows(entity: country.index, keys: keys)
      return try $0.relatedKeys(
        entity: country.index, slot: try file.slot("customer", of: "country"), key: keys[0]
      ).map { [.key($0)] }
    }
  }

  @Test func view() async throws {
    try await file.expect(
      "region,amount", of: "total", where: "amount > 5",
      oracle: "SELECT region, amount FROM total WHERE amount > 5",
      is: """
        SELECT `t0`.`region`, `t0`.`amount`
        FROM `total` AS `t0`
        WHERE `t0`.`amount` COLLATE BINARY > 5

        west|7
        """)
  }

  @Test func orderInAView() async throws {
    try await file.expect(
      "region", of: "total", where: "region != NULL", order: "region desc",
      oracle: "SELECT region FROM total WHERE region IS NOT NULL ORDER BY region DESC",
      is: """
        SELECT `t0`.`region`
        FROM `total` AS `t0`
        WHERE `t0`.`region` COLLATE BINARY IS NOT NULL
        ORDER BY `t0`.`region` COLLATE BINARY DESC

        west
        east
        """)
  }

  @Test func objectsOfATable() async throws {
    try await file.expectObjects(
      of: "label",
      oracle: "SELECT id, id, word FROM label",
      is: """
        SELECT `t0`.`id`, `t0`.`id`, `t0`.`word`
        FROM `label` AS `t0`
        ORDER BY `t0`.`id`

        1|1|new
        2|2|dear
        """)
  }
}
