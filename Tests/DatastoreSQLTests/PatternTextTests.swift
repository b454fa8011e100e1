import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// A wildcard in one language is a letter in the other.
@Suite("Patterns and other texts as SQL")
struct PatternTextTests {
  private let wordings = Wordings()

  @Test func like() throws {
    try wordings.expectCondition(
      "name LIKE \"?n*\"",
      sqlite: """
        datastore_like(`t0`.`name`, ?, 0)
        ← “?n*”
        """,
      postgreSQL: #"""
        "t0"."name" COLLATE "C" LIKE $1::text ESCAPE '\'
        ← “_n%”
        """#)
  }

  @Test func likeWithAPercentSign() throws {
    try wordings.expectCondition(
      "name LIKE \"50%*\"",
      sqlite: """
        datastore_like(`t0`.`name`, ?, 0)
        ← “50%*”
        """,
      postgreSQL: #"""
        "t0"."name" COLLATE "C" LIKE $1::text ESCAPE '\'
        ← “50\%%”
        """#)
  }

  @Test func likeWithAnUnderscore() throws {
    try wordings.expectCondition(
      "name LIKE \"a_?\"",
      sqlite: """
        datastore_like(`t0`.`name`, ?, 0)
        ← “a_?”
        """,
      postgreSQL: #"""
        "t0"."name" COLLATE "C" LIKE $1::text ESCAPE '\'
        ← “a\__”
        """#)
  }

  @Test func likeWithoutCase() throws {
    try wordings.expectCondition(
      "name LIKE[c] \"AN*\"",
      sqlite: """
        datastore_like(`t0`.`name`, ?, 1)
        ← “AN*”
        """,
      postgreSQL: #"""
        (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN lower("t0"."name"
          COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ', 'i̇'), $1::text,
          $2::text) END) COLLATE "C" LIKE $3::text ESCAPE '\'
        ← many letters, many letters, “an%”
        """#)
  }

  @Test func matches() throws {
    try wordings.expectCondition(
      "name MATCHES \"[A-C].*\"",
      sqlite: """
        datastore_matches(`t0`.`name`, ?, 0)
        ← “[A-C].*”
        """,
      postgreSQL: """
        refused: PostgreSQL reads regular expressions otherwise than this program does, so MATCHES is not answered there; use LIKE, CONTAINS or BEGINSWITH.
        """)
  }

  @Test func matchesWithoutCase() throws {
    try wordings.expectCondition(
      "name MATCHES[c] \"[a-c].*\"",
      sqlite: """
        datastore_matches(`t0`.`name`, ?, 1)
        ← “[a-c].*”
        """,
      postgreSQL: """
        refused: PostgreSQL reads regular expressions otherwise than this program does, so MATCHES is not answered there; use LIKE, CONTAINS or BEGINSWITH.
        """)
  }

  @Test func quotes() throws {
    try wordings.expectCondition(
      "name == \"O'Neil\"",
      sqlite: """
        `t0`.`name` = ?
        ← “O'Neil”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" = $1::text
        ← “O'Neil”
        """)
  }

  /// Values are bound and never part of the text.
  @Test func aStatementInAText() throws {
    try wordings.expectCondition(
      "name == \"'; DROP TABLE Employee; --\"",
      sqlite: """
        `t0`.`name` = ?
        ← “'; DROP TABLE Employee; --”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" = $1::text
        ← “'; DROP TABLE Employee; --”
        """)
  }

  @Test func containsAnotherColumn() throws {
    try wordings.expectCondition(
      "email CONTAINS name",
      sqlite: "instr(`t0`.`email`, `t0`.`name`) > 0",
      postgreSQL: #"strpos("t0"."email" COLLATE "C", "t0"."name") > 0"#)
  }

  @Test func valueContainsColumn() throws {
    try wordings.expectCondition(
      "\"Annabel\" BEGINSWITH name",
      sqlite: """
        (typeof(?) = 'text' AND (length(CAST(? AS BLOB)) >= length(CAST(`t0`.`name` AS BLOB))
          AND coalesce(substr(CAST(? AS BLOB), 1, length(CAST(`t0`.`name` AS BLOB))), x'') =
          CAST(`t0`.`name` AS BLOB)))
        ← “Annabel”, “Annabel”, “Annabel”
        """,
      postgreSQL: """
        (TRUE AND starts_with($1::text COLLATE "C", "t0"."name"))
        ← “Annabel”
        """)
  }

  @Test func emptyText() throws {
    try wordings.expectCondition(
      "name == \"\"",
      sqlite: """
        `t0`.`name` = ?
        ← “”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" = $1::text
        ← “”
        """)
  }

  @Test func notLike() throws {
    try wordings.expectCondition(
      "NOT name LIKE \"A*\"",
      sqlite: """
        ((datastore_like(`t0`.`name`, ?, 0)) IS NOT TRUE)
        ← “A*”
        """,
      postgreSQL: #"""
        (("t0"."name" COLLATE "C" LIKE $1::text ESCAPE '\') IS NOT TRUE)
        ← “A%”
        """#)
  }

  @Test func inWithoutCase() throws {
    try wordings.expectCondition(
      "name IN[c] {\"ANN\", \"BOB\"}",
      sqlite: """
        (datastore_fold(`t0`.`name`, 1) IN (datastore_fold(?, 1), datastore_fold(?, 1)))
        ← “ANN”, “BOB”
        """,
      postgreSQL: """
        ((CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN lower("t0"."name"
          COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ', 'i̇'), $1::text,
          $2::text) END) COLLATE "C" IN ($3::text, $4::text))
        ← many letters, many letters, “ann”, “bob”
        """)
  }
}
