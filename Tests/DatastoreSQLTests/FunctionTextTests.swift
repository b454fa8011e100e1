import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Functions of values, parts of dates, and attributes of every type.
@Suite("Functions and dates as SQL")
struct FunctionTextTests {
  private let wordings = Wordings(Wordings.everyType)

  @Test func lowercase() throws {
    try wordings.expectCondition(
      "lowercase(text) == \"a\"", of: "Item",
      sqlite: """
        datastore_function(0, 1, `t0`.`text`) = ?
        ← “a”
        """,
      postgreSQL: """
        (CASE WHEN octet_length("t0"."text") = char_length("t0"."text") THEN lower("t0"."text"
          COLLATE "C") ELSE translate(replace("t0"."text" COLLATE "C", 'İ', 'i̇'), $1::text,
          $2::text) END) COLLATE "C" = $3::text
        ← many letters, many letters, “a”
        """)
  }

  @Test func uppercase() throws {
    try wordings.expectCondition(
      "uppercase(text) == \"A\"", of: "Item",
      sqlite: """
        datastore_function(1, 1, `t0`.`text`) = ?
        ← “A”
        """,
      postgreSQL: "refused: PostgreSQL cannot compute uppercase(text) as this program does.")
  }

  @Test func trimmed() throws {
    try wordings.expectCondition(
      "trim(text) == \"a\"", of: "Item",
      sqlite: """
        datastore_function(2, 1, `t0`.`text`) = ?
        ← “a”
        """,
      postgreSQL: """
        btrim("t0"."text", $1::text) COLLATE "C" = $2::text
        ← many letters, “a”
        """)
  }

  @Test func length() throws {
    try wordings.expectCondition(
      "length(text) > 3", of: "Item",
      sqlite: """
        datastore_function(3, 1, `t0`.`text`) > ?
        ← 3
        """,
      postgreSQL: """
        char_length("t0"."text") > $1::int8
        ← 3
        """)
  }

  @Test func left() throws {
    try wordings.expectCondition(
      "left(text, 2) == \"ab\"", of: "Item",
      sqlite: """
        datastore_function(4, 2, `t0`.`text`, ?) = ?
        ← 2, “ab”
        """,
      postgreSQL: """
        left("t0"."text", floor(least(greatest($1::int8, 0), 1073741823))::int4 + CASE WHEN
          $1::int8 IS NULL THEN NULL::int4 ELSE 0 END) COLLATE "C" = $2::text
        ← 2, “ab”
        """)
  }

  @Test func right() throws {
    try wordings.expectCondition(
      "right(text, 2) == \"ab\"", of: "Item",
      sqlite: """
        datastore_function(5, 2, `t0`.`text`, ?) = ?
        ← 2, “ab”
        """,
      postgreSQL: """
        right("t0"."text", floor(least(greatest($1::int8, 0), 1073741823))::int4 + CASE WHEN
          $1::int8 IS NULL THEN NULL::int4 ELSE 0 END) COLLATE "C" = $2::text
        ← 2, “ab”
        """)
  }

  @Test func replaced() throws {
    try wordings.expectCondition(
      "replace(text, \"a\", \"b\") == \"b\"", of: "Item",
      sqlite: """
        datastore_function(6, 3, `t0`.`text`, ?, ?) = ?
        ← “a”, “b”, “b”
        """,
      postgreSQL: "refused: PostgreSQL cannot compute replace(text, old, new) as this program does."
    )
  }

  @Test func concatenated() throws {
    try wordings.expectCondition(
      "concat(text, \"-\", small) == \"a-1\"", of: "Item",
      sqlite: """
        datastore_function(7, 3, `t0`.`text`, ?, `t0`.`small`) = ?
        ← “-”, “a-1”
        """,
      postgreSQL: """
        (coalesce("t0"."text", '') || coalesce($1::text, '') ||
          coalesce("t0"."small"::int8::text, '')) COLLATE "C" = $2::text
        ← “-”, “a-1”
        """)
  }

  @Test func absolute() throws {
    try wordings.expectCondition(
      "abs(small) == 1", of: "Item",
      sqlite: """
        datastore_function(8, 1, `t0`.`small`) = ?
        ← 1
        """,
      postgreSQL: """
        abs("t0"."small"::int8) = $1::int8
        ← 1
        """)
  }

  @Test func rounded() throws {
    try wordings.expectCondition(
      "round(double) == 1", of: "Item",
      sqlite: """
        datastore_function(9, 1, `t0`.`double`) = ?
        ← 1
        """,
      postgreSQL: """
        ((trunc("t0"."double"::float8::float8) + CASE WHEN abs("t0"."double"::float8::float8 -
          trunc("t0"."double"::float8::float8)) >= 0.5 THEN sign("t0"."double"::float8::float8)
          ELSE 0 END))::int8 = $1::int8
        ← 1
        """)
  }

  @Test func roundedToDecimals() throws {
    try wordings.expectCondition(
      "round(double, 2) == 1.25", of: "Item",
      sqlite: """
        datastore_function(9, 2, `t0`.`double`, ?) = ?
        ← 2, 1.25
        """,
      postgreSQL: """
        (trunc(("t0"."double"::float8::float8 * $1::float8)) + CASE WHEN
          abs(("t0"."double"::float8::float8 * $1::float8) -
          trunc(("t0"."double"::float8::float8 * $1::float8))) >= 0.5 THEN
          sign(("t0"."double"::float8::float8 * $1::float8)) ELSE 0 END) / $1::float8 =
          $2::float8
        ← 100.0, 1.25
        """)
  }

  @Test func floor() throws {
    try wordings.expectCondition(
      "floor(double) == 1", of: "Item",
      sqlite: """
        datastore_function(10, 1, `t0`.`double`) = ?
        ← 1
        """,
      postgreSQL: """
        (floor("t0"."double"::float8::float8))::int8 = $1::int8
        ← 1
        """)
  }

  @Test func ceiling() throws {
    try wordings.expectCondition(
      "ceiling(double) == 1", of: "Item",
      sqlite: """
        datastore_function(11, 1, `t0`.`double`) = ?
        ← 1
        """,
      postgreSQL: """
        (ceil("t0"."double"::float8::float8))::int8 = $1::int8
        ← 1
        """)
  }

  @Test func firstPresent() throws {
    try wordings.expectCondition(
      "coalesce(text, site) == \"a\"", of: "Item",
      sqlite: """
        coalesce(`t0`.`text`, `t0`.`site`) = ?
        ← “a”
        """,
      postgreSQL: """
        coalesce("t0"."text" COLLATE "C", "t0"."site" COLLATE "C") COLLATE "C" = $1::text
        ← “a”
        """)
  }

  @Test func daysBetween() throws {
    try wordings.expectCondition(
      "days(date, date) == 0", of: "Item",
      sqlite: """
        datastore_function(12, 2, `t0`.`date`, `t0`.`date`, 1, 1) = ?
        ← 0
        """,
      postgreSQL: """
        (floor(extract(epoch FROM CASE WHEN isfinite("t0"."date") THEN "t0"."date" END) /
          86400)::int8 - floor(extract(epoch FROM CASE WHEN isfinite("t0"."date") THEN
          "t0"."date" END) / 86400)::int8) = $1::int8
        ← 0
        """)
  }
}
