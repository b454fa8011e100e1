import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Comparisons and orders use the values as the engine stores them.
@Suite("Attributes of every type as SQL")
struct AttributeKindTextTests {
  private let wordings = Wordings(Wordings.everyType)

  /// Dates are seconds since 2001 in native files.
  @Test func date() throws {
    try wordings.expectCondition(
      "date > 2024-01-01", of: "Item",
      sqlite: """
        `t0`.`date` > ?
        ← 725760000.0
        """,
      postgreSQL: """
        "t0"."date" > (timestamptz '2001-01-01 00:00:00+00' + $1::text::interval)
        ← “725760000 seconds 0 microseconds”
        """)
  }

  @Test func dateMissing() throws {
    try wordings.expectCondition(
      "date == NULL", of: "Item",
      sqlite: "`t0`.`date` IS NULL",
      postgreSQL: #""t0"."date" IS NULL"#)
  }

  @Test func calendarDate() throws {
    try wordings.expectCondition(
      "day == 2024-02-29", of: "Item",
      sqlite: """
        `t0`.`day` = ?
        ← “2024-02-29”
        """,
      postgreSQL: """
        "t0"."day" COLLATE "C" = $1::text
        ← “2024-02-29”
        """)
  }

  @Test func uuid() throws {
    try wordings.expectCondition(
      "badge == \"00112233-4455-6677-8899-aabbccddeeff\"", of: "Item",
      sqlite: """
        `t0`.`badge` = ?
        ← 16 bytes
        """,
      postgreSQL: """
        "t0"."badge" = $1::text::uuid
        ← “00112233445566778899AABBCCDDEEFF”
        """)
  }

  @Test func url() throws {
    try wordings.expectCondition(
      "site BEGINSWITH \"https:\"", of: "Item",
      sqlite: """
        (`t0`.`site` >= ? AND `t0`.`site` < ?)
        ← “https:”, “https;”
        """,
      postgreSQL: """
        starts_with("t0"."site" COLLATE "C", $1::text)
        ← “https:”
        """)
  }

  @Test func boolean() throws {
    try wordings.expectCondition(
      "truth == YES", of: "Item",
      sqlite: """
        `t0`.`truth` = ?
        ← 1
        """,
      postgreSQL: #""t0"."truth" = TRUE"#)
  }

  @Test func anything() throws {
    try wordings.expectCondition(
      "anything == 1", of: "Thing",
      sqlite: """
        `t0`.`anything` = ?
        ← 1
        """,
      postgreSQL: #"(CASE WHEN "t0"."anything" IS NOT NULL THEN 2 END) = 1"#)
  }

  @Test func anythingText() throws {
    try wordings.expectCondition(
      "anything == \"1\"", of: "Thing",
      sqlite: """
        `t0`.`anything` = ?
        ← “1”
        """,
      postgreSQL: """
        "t0"."anything"::text COLLATE "C" = $1::text
        ← “1”
        """)
  }

  @Test func float() throws {
    try wordings.expectCondition(
      "float < 1.5", of: "Item",
      sqlite: """
        `t0`.`float` < ?
        ← 1.5
        """,
      postgreSQL: """
        "t0"."float" < $1::float8
        ← 1.5
        """)
  }

  @Test func unsigned() throws {
    try wordings.expectCondition(
      "unsigned <= 4294967295", of: "Item",
      sqlite: """
        `t0`.`unsigned` <= ?
        ← 4294967295
        """,
      postgreSQL: """
        "t0"."unsigned" <= $1::int8
        ← 4294967295
        """)
  }

  @Test func decimalSum() throws {
    try wordings.expectCondition(
      "money + 1 > 10.10", of: "Item",
      sqlite: """
        datastore_arithmetic(datastore_decimal(`t0`.`money`), ?, ?) > ?
        ← “+”, 1, 10.1
        """,
      postgreSQL: """
        (NULLIF("t0"."money"::float8 + $1::int8::float8, 'NaN'::float8)) > $2::float8
        ← 1, 10.1
        """)
  }

  @Test func orderByDate() throws {
    try wordings.expectOrder(
      "date desc", of: "Item",
      sqlite: """
        FROM `Item` AS `t0`
        ORDER BY `t0`.`date` DESC, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Item" AS "t0"
        ORDER BY "t0"."date" DESC NULLS LAST, "t0"."_id"
        """)
  }

  @Test func orderByUUID() throws {
    try wordings.expectOrder(
      "badge", of: "Item",
      sqlite: """
        FROM `Item` AS `t0`
        ORDER BY `t0`.`badge`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Item" AS "t0"
        ORDER BY "t0"."badge" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func orderByAnything() throws {
    try wordings.expectOrder(
      "anything", of: "Thing",
      sqlite: """
        FROM `Thing` AS `t0`
        ORDER BY `t0`.`anything`, `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Thing" AS "t0"
        ORDER BY "t0"."anything"::text COLLATE "C" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func orderByADecimalAttribute() throws {
    try wordings.expectOrder(
      "money", of: "Item",
      sqlite: """
        FROM `Item` AS `t0`
        ORDER BY datastore_decimal(`t0`.`money`), `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Item" AS "t0"
        ORDER BY "t0"."money" NULLS FIRST, "t0"."_id"
        """)
  }

  @Test func orderByAFunction() throws {
    try wordings.expectOrder(
      "lowercase(text)", of: "Item",
      sqlite: """
        FROM `Item` AS `t0`
        ORDER BY datastore_function(0, 1, `t0`.`text`), `t0`.`_id`
        """,
      postgreSQL: """
        FROM "Item" AS "t0"
        ORDER BY (CASE WHEN octet_length("t0"."text") = char_length("t0"."text") THEN
          lower("t0"."text" COLLATE "C") ELSE translate(replace("t0"."text" COLLATE "C", 'İ',
          'i̇'), $1::text, $2::text) END) COLLATE "C" NULLS FIRST, "t0"."_id"
        ← many letters, many letters
        """)
  }

  /// PostgreSQL has a type for each; SQLite checks by affinity.
  @Test func declaration() throws {
    try wordings.expect(
      sqlite: """
        CREATE TABLE "Item" ("_id" INTEGER PRIMARY KEY, "text" TEXT, "site" TEXT, "small"
          INTEGER, "whole" INTEGER, "unsigned" INTEGER, "truth" INTEGER, "float" REAL, "double"
          REAL, "money", "date" REAL, "day" TEXT, "badge" BLOB, "bytes" BLOB, "coded" BLOB)
        """,
      postgreSQL: """
        CREATE TABLE "Item" ("_id" bigint PRIMARY KEY, "text" text COLLATE "C", "site" text
          COLLATE "C", "small" smallint, "whole" bigint, "unsigned" bigint, "truth" boolean,
          "float" real, "double" double precision, "money" numeric, "date" timestamptz, "day"
          text COLLATE "C", "badge" uuid, "bytes" bytea, "coded" bytea)
        """
    ) {
      try wordings.declaration(of: "Item", $0)
    }
  }
}
