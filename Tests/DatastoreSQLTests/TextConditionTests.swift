import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// Text is compared byte by byte, unless `[c]` or `[d]` folds it.
@Suite("Conditions on text as SQL")
struct TextConditionTests {
  private let wordings = Wordings()

  @Test func equal() throws {
    try wordings.expectCondition(
      "name == \"Ann\"",
      sqlite: """
        `t0`.`name` = ?
        ← “Ann”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" = $1::text
        ← “Ann”
        """)
  }

  @Test func differs() throws {
    try wordings.expectCondition(
      "name != \"Ann\"",
      sqlite: """
        `t0`.`name` IS NOT ?
        ← “Ann”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" IS DISTINCT
        FROM $1::text
        ← “Ann”
        """)
  }

  @Test func greater() throws {
    try wordings.expectCondition(
      "name > \"Cyd\"",
      sqlite: """
        `t0`.`name` > ?
        ← “Cyd”
        """,
      postgreSQL: """
        "t0"."name" COLLATE "C" > $1::text
        ← “Cyd”
        """)
  }

  @Test func equalWithoutCase() throws {
    try wordings.expectCondition(
      "name ==[c] \"BOB\"",
      sqlite: """
        datastore_fold(`t0`.`name`, 1) = datastore_fold(?, 1)
        ← “BOB”
        """,
      postgreSQL: """
        (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN lower("t0"."name"
          COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ', 'i̇'), $1::text,
          $2::text) END) COLLATE "C" = $3::text
        ← many letters, many letters, “bob”
        """)
  }

  @Test func equalWithoutMarks() throws {
    try wordings.expectCondition(
      "name ==[d] \"Elodie\"",
      sqlite: """
        datastore_fold(`t0`.`name`, 2) = datastore_fold(?, 2)
        ← “Elodie”
        """,
      postgreSQL: """
        (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN "t0"."name" ELSE
          normalize(regexp_replace(normalize("t0"."name" COLLATE "C", NFD), $1::text, '', 'g'),
          NFC) END) COLLATE "C" = $2::text
        ← many letters, “Elodie”
        """)
  }

  @Test func equalWithoutBoth() throws {
    try wordings.expectCondition(
      "name ==[cd] \"elodie\"",
      sqlite: """
        datastore_fold(`t0`.`name`, 3) = datastore_fold(?, 3)
        ← “elodie”
        """,
      postgreSQL: """
        (CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN lower("t0"."name"
          COLLATE "C") ELSE normalize(regexp_replace(normalize(translate(replace("t0"."name"
          COLLATE "C", 'İ', 'i̇'), $1::text, $2::text) COLLATE "C", NFD), $3::text, '', 'g'),
          NFC) END) COLLATE "C" = $4::text
        ← many letters, many letters, many letters, “elodie”
        """)
  }

  @Test func begins() throws {
    try wordings.expectCondition(
      "name BEGINSWITH \"C\"",
      sqlite: """
        (`t0`.`name` >= ? AND `t0`.`name` < ?)
        ← “C”, “D”
        """,
      postgreSQL: """
        starts_with("t0"."name" COLLATE "C", $1::text)
        ← “C”
        """)
  }

  @Test func beginsWithNothing() throws {
    try wordings.expectCondition(
      "name BEGINSWITH \"\"",
      sqlite: "(`t0`.`name` >= '' AND `t0`.`name` < x'')",
      postgreSQL: """
        starts_with("t0"."name" COLLATE "C", $1::text)
        ← “”
        """)
  }

  /// The scalar after U+D7FF is U+E000.
  @Test func beginsBeforeASurrogateGap() throws {
    try wordings.expectCondition(
      "name BEGINSWITH \"퟿\"",
      sqlite: """
        (`t0`.`name` >= ? AND `t0`.`name` < ?)
        ← “퟿”, “”
        """,
      postgreSQL: """
        starts_with("t0"."name" COLLATE "C", $1::text)
        ← “퟿”
        """)
  }

  /// No text is the first that is greater than all of these.
  @Test func beginsWithTheLastScalar() throws {
    try wordings.expectCondition(
      "name BEGINSWITH \"􏿿\"",
      sqlite: """
        (`t0`.`name` >= ? AND `t0`.`name` < x'')
        ← “􏿿”
        """,
      postgreSQL: """
        starts_with("t0"."name" COLLATE "C", $1::text)
        ← “􏿿”
        """)
  }

  @Test func beginsWithoutCase() throws {
    try wordings.expectCondition(
      "name BEGINSWITH[c] \"B\"",
      sqlite: """
        (length(CAST(datastore_fold(`t0`.`name`, 1) AS BLOB)) >= length(CAST(datastore_fold(?,
          1) AS BLOB)) AND coalesce(substr(CAST(datastore_fold(`t0`.`name`, 1) AS BLOB), 1,
          length(CAST(datastore_fold(?, 1) AS BLOB))), x'') = CAST(datastore_fold(?, 1) AS
          BLOB))
        ← “B”, “B”, “B”
        """,
      postgreSQL: """
        starts_with((CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN
          lower("t0"."name" COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ',
          'i̇'), $1::text, $2::text) END) COLLATE "C", $3::text)
        ← many letters, many letters, “b”
        """)
  }

  @Test func contains() throws {
    try wordings.expectCondition(
      "name CONTAINS \"e\"",
      sqlite: """
        instr(`t0`.`name`, ?) > 0
        ← “e”
        """,
      postgreSQL: """
        strpos("t0"."name" COLLATE "C", $1::text) > 0
        ← “e”
        """)
  }

  @Test func containsWithoutCase() throws {
    try wordings.expectCondition(
      "name CONTAINS[c] \"E\"",
      sqlite: """
        instr(datastore_fold(`t0`.`name`, 1), datastore_fold(?, 1)) > 0
        ← “E”
        """,
      postgreSQL: """
        strpos((CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN
          lower("t0"."name" COLLATE "C") ELSE translate(replace("t0"."name" COLLATE "C", 'İ',
          'i̇'), $1::text, $2::text) END) COLLATE "C", $3::text) > 0
        ← many letters, many letters, “e”
        """)
  }

  /// Wildcards of LIKE are letters here.
  @Test func containsAWildcard() throws {
    try wordings.expectCondition(
      "name CONTAINS \"50%_\"",
      sqlite: """
        instr(`t0`.`name`, ?) > 0
        ← “50%_”
        """,
      postgreSQL: """
        strpos("t0"."name" COLLATE "C", $1::text) > 0
        ← “50%_”
        """)
  }

  @Test func containsNothing() throws {
    try wordings.expectCondition(
      "name CONTAINS \"\"",
      sqlite: """
        instr(`t0`.`name`, ?) > 0
        ← “”
        """,
      postgreSQL: """
        strpos("t0"."name" COLLATE "C", $1::text) > 0
        ← “”
        """)
  }

  @Test func ends() throws {
    try wordings.expectCondition(
      "name ENDSWITH \"d\"",
      sqlite: """
        (length(CAST(`t0`.`name` AS BLOB)) >= length(CAST(? AS BLOB)) AND
          coalesce(substr(CAST(`t0`.`name` AS BLOB), length(CAST(`t0`.`name` AS BLOB)) -
          length(CAST(? AS BLOB)) + 1), x'') = CAST(? AS BLOB))
        ← “d”, “d”, “d”
        """,
      postgreSQL: """
        right("t0"."name", char_length($1::text)) COLLATE "C" = $1::text
        ← “d”
        """)
  }

  @Test func endsWithoutMarks() throws {
    try wordings.expectCondition(
      "name ENDSWITH[d] \"e\"",
      sqlite: """
        (length(CAST(datastore_fold(`t0`.`name`, 2) AS BLOB)) >= length(CAST(datastore_fold(?,
          2) AS BLOB)) AND coalesce(substr(CAST(datastore_fold(`t0`.`name`, 2) AS BLOB),
          length(CAST(datastore_fold(`t0`.`name`, 2) AS BLOB)) - length(CAST(datastore_fold(?,
          2) AS BLOB)) + 1), x'') = CAST(datastore_fold(?, 2) AS BLOB))
        ← “e”, “e”, “e”
        """,
      postgreSQL: """
        right((CASE WHEN octet_length("t0"."name") = char_length("t0"."name") THEN "t0"."name"
          ELSE normalize(regexp_replace(normalize("t0"."name" COLLATE "C", NFD), $1::text, '',
          'g'), NFC) END), char_length($2::text)) COLLATE "C" = $2::text
        ← many letters, “e”
        """)
  }
}
