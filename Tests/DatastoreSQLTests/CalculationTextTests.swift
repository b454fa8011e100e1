import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Numbers of any kind are compared by their value, as in memory.
@Suite("Calculations, decimals and kinds of values as SQL")
struct CalculationTextTests {
  private let wordings = Wordings()

  @Test func sum() throws {
    try wordings.expectCondition(
      "age + 10 == 40",
      sqlite: """
        (`t0`.`age` + ?) = ?
        ← 10, 40
        """,
      postgreSQL: """
        ("t0"."age"::int8 + $1::int8) = $2::int8
        ← 10, 40
        """)
  }

  @Test func difference() throws {
    try wordings.expectCondition(
      "age - 10 > 5",
      sqlite: """
        (`t0`.`age` - ?) > ?
        ← 10, 5
        """,
      postgreSQL: """
        ("t0"."age"::int8 - $1::int8) > $2::int8
        ← 10, 5
        """)
  }

  @Test func product() throws {
    try wordings.expectCondition(
      "age * 2 == 60",
      sqlite: """
        (`t0`.`age` * ?) = ?
        ← 2, 60
        """,
      postgreSQL: """
        ("t0"."age"::int8 * $1::int8) = $2::int8
        ← 2, 60
        """)
  }

  /// Division by zero has no value.
  @Test func quotient() throws {
    try wordings.expectCondition(
      "age / 2 == 15",
      sqlite: """
        (`t0`.`age` / ?) = ?
        ← 2, 15
        """,
      postgreSQL: """
        ("t0"."age"::int8 / NULLIF($1::int8, 0)) = $2::int8
        ← 2, 15
        """)
  }

  @Test func twoColumns() throws {
    try wordings.expectCondition(
      "salary < age",
      sqlite: "`t0`.`salary` < `t0`.`age`",
      postgreSQL: """
        ROW("t0"."salary"::float8, 0) < ROW("t0"."age"::int8::float8, coalesce(CASE WHEN
          "t0"."age"::int8::float8 >= 9223372036854775808::float8 THEN "t0"."age"::int8 -
          9223372036854775807 - 1 ELSE "t0"."age"::int8 - "t0"."age"::int8::float8::int8 END,
          0))
        """)
  }

  @Test func twoColumnsEqual() throws {
    try wordings.expectCondition(
      "age == salary",
      sqlite: "`t0`.`age` IS `t0`.`salary`",
      postgreSQL: """
        ROW("t0"."age"::int8::float8, coalesce(CASE WHEN "t0"."age"::int8::float8 >=
          9223372036854775808::float8 THEN "t0"."age"::int8 - 9223372036854775807 - 1 ELSE
          "t0"."age"::int8 - "t0"."age"::int8::float8::int8 END, 0)) IS NOT DISTINCT
        FROM ROW("t0"."salary"::float8, 0)
        """)
  }

  @Test func twoTextsDiffer() throws {
    try wordings.expectCondition(
      "name != email",
      sqlite: "`t0`.`name` IS NOT `t0`.`email`",
      postgreSQL: """
        "t0"."name" COLLATE "C" IS DISTINCT
        FROM "t0"."email"
        """)
  }

  @Test func decimalIsANumber() throws {
    try wordings.expectCondition(
      "bonus < 10",
      sqlite: """
        datastore_decimal(`t0`.`bonus`) < ?
        ← 10
        """,
      postgreSQL: """
        "t0"."bonus" < $1::text::numeric
        ← “10”
        """)
  }

  @Test func decimalEqual() throws {
    try wordings.expectCondition(
      "bonus == 9.50",
      sqlite: """
        datastore_decimal(`t0`.`bonus`) = ?
        ← 9.5
        """,
      postgreSQL: """
        "t0"."bonus" = $1::text::numeric
        ← “9.5”
        """)
  }

  @Test func decimalMissing() throws {
    try wordings.expectCondition(
      "bonus == NULL",
      sqlite: "datastore_decimal(`t0`.`bonus`) IS NULL",
      postgreSQL: #""t0"."bonus" IS NULL"#)
  }

  @Test func truth() throws {
    try wordings.expectCondition(
      "done == YES", of: "Task",
      sqlite: """
        `t0`.`done` = ?
        ← 1
        """,
      postgreSQL: #""t0"."done" = TRUE"#)
  }

  @Test func falsehood() throws {
    try wordings.expectCondition(
      "done == NO", of: "Task",
      sqlite: """
        `t0`.`done` = ?
        ← 0
        """,
      postgreSQL: #""t0"."done" = FALSE"#)
  }

  @Test func notTrue() throws {
    try wordings.expectCondition(
      "done != YES", of: "Task",
      sqlite: """
        `t0`.`done` IS NOT ?
        ← 1
        """,
      postgreSQL: """
        "t0"."done" IS DISTINCT
        FROM TRUE
        """)
  }

  @Test func key() throws {
    try wordings.expectCondition(
      "SELF == 2",
      sqlite: """
        `t0`.`_id` = ?
        ← 2
        """,
      postgreSQL: """
        "t0"."_id" = $1::int8
        ← 2
        """)
  }

  @Test func keys() throws {
    try wordings.expectCondition(
      "SELF IN {1, 2, 3}",
      sqlite: """
        (`t0`.`_id` IN (?, ?, ?))
        ← 1, 2, 3
        """,
      postgreSQL: """
        ("t0"."_id" IN ($1::int8, $2::int8, $3::int8))
        ← 1, 2, 3
        """)
  }

  @Test func blob() throws {
    try wordings.expectCondition(
      "photo != NULL",
      sqlite: "`t0`.`photo` IS NOT NULL",
      postgreSQL: #""t0"."photo" IS NOT NULL"#)
  }
}
