import DatastoreCore
import DatastoreSQL
import DatastoreTestSupport
import Testing

/// NULL is a value like others in predicates: `==` and `!=` never answer NULL, and `<` never holds for it.
@Suite("Comparisons as SQL")
struct ComparisonTextTests {
  private let wordings = Wordings()

  @Test func equal() throws {
    try wordings.expectCondition(
      "age == 30",
      sqlite: """
        `t0`.`age` = ?
        ← 30
        """,
      postgreSQL: """
        "t0"."age" = $1::int8
        ← 30
        """)
  }

  /// NULL is another value than 30.
  @Test func notEqual() throws {
    try wordings.expectCondition(
      "age != 30",
      sqlite: """
        `t0`.`age` IS NOT ?
        ← 30
        """,
      postgreSQL: """
        "t0"."age" IS DISTINCT
        FROM $1::int8
        ← 30
        """)
  }

  @Test func less() throws {
    try wordings.expectCondition(
      "age < 40",
      sqlite: """
        `t0`.`age` < ?
        ← 40
        """,
      postgreSQL: """
        "t0"."age" < $1::int8
        ← 40
        """)
  }

  @Test func lessOrEqual() throws {
    try wordings.expectCondition(
      "age <= 40",
      sqlite: """
        `t0`.`age` <= ?
        ← 40
        """,
      postgreSQL: """
        "t0"."age" <= $1::int8
        ← 40
        """)
  }

  @Test func greater() throws {
    try wordings.expectCondition(
      "age > 40",
      sqlite: """
        `t0`.`age` > ?
        ← 40
        """,
      postgreSQL: """
        "t0"."age" > $1::int8
        ← 40
        """)
  }

  @Test func greaterOrEqual() throws {
    try wordings.expectCondition(
      "salary >= 7.5",
      sqlite: """
        `t0`.`salary` >= ?
        ← 7.5
        """,
      postgreSQL: """
        "t0"."salary" >= $1::float8
        ← 7.5
        """)
  }

  @Test func isMissing() throws {
    try wordings.expectCondition(
      "age == NULL",
      sqlite: "`t0`.`age` IS NULL",
      postgreSQL: #""t0"."age" IS NULL"#)
  }

  @Test func isPresent() throws {
    try wordings.expectCondition(
      "age != NULL",
      sqlite: "`t0`.`age` IS NOT NULL",
      postgreSQL: #""t0"."age" IS NOT NULL"#)
  }

  /// Nothing is less than a missing value.
  @Test func lessThanMissing() throws {
    try wordings.expectCondition(
      "age < NULL",
      sqlite: """
        `t0`.`age` < ?
        ← NULL
        """,
      postgreSQL: #""t0"."age" < NULL"#)
  }

  @Test func between() throws {
    try wordings.expectCondition(
      "age BETWEEN {25, 30}",
      sqlite: """
        (`t0`.`age` >= ? AND `t0`.`age` <= ?)
        ← 25, 30
        """,
      postgreSQL: """
        ("t0"."age" >= $1::int8 AND "t0"."age" <= $2::int8)
        ← 25, 30
        """)
  }

  @Test func notBetween() throws {
    try wordings.expectCondition(
      "NOT age BETWEEN {25, 30}",
      sqlite: """
        (((`t0`.`age` >= ? AND `t0`.`age` <= ?)) IS NOT TRUE)
        ← 25, 30
        """,
      postgreSQL: """
        ((("t0"."age" >= $1::int8 AND "t0"."age" <= $2::int8)) IS NOT TRUE)
        ← 25, 30
        """)
  }

  @Test func inList() throws {
    try wordings.expectCondition(
      "age IN {25, 40}",
      sqlite: """
        (`t0`.`age` IN (?, ?))
        ← 25, 40
        """,
      postgreSQL: """
        ("t0"."age" IN ($1::int8, $2::int8))
        ← 25, 40
        """)
  }

  @Test func inListWithMissing() throws {
    try wordings.expectCondition(
      "age IN {40, NULL}",
      sqlite: """
        (`t0`.`age` IS NULL OR `t0`.`age` IN (?))
        ← 40
        """,
      postgreSQL: """
        ("t0"."age" IS NULL OR "t0"."age" IN ($1::int8))
        ← 40
        """)
  }

  @Test func inListOfOne() throws {
    try wordings.expectCondition(
      "age IN {40}",
      sqlite: """
        (`t0`.`age` IN (?))
        ← 40
        """,
      postgreSQL: """
        ("t0"."age" IN ($1::int8))
        ← 40
        """)
  }

  @Test func inEmptyList() throws {
    try wordings.expectCondition(
      "age IN {}",
      sqlite: "0",
      postgreSQL: "FALSE")
  }

  @Test func notInList() throws {
    try wordings.expectCondition(
      "NOT age IN {25, 40}",
      sqlite: """
        (((`t0`.`age` IN (?, ?))) IS NOT TRUE)
        ← 25, 40
        """,
      postgreSQL: """
        ((("t0"."age" IN ($1::int8, $2::int8))) IS NOT TRUE)
        ← 25, 40
        """)
  }

  @Test func notInListWithMissing() throws {
    try wordings.expectCondition(
      "NOT age IN {25, NULL}",
      sqlite: """
        (((`t0`.`age` IS NULL OR `t0`.`age` IN (?))) IS NOT TRUE)
        ← 25
        """,
      postgreSQL: """
        ((("t0"."age" IS NULL OR "t0"."age" IN ($1::int8))) IS NOT TRUE)
        ← 25
        """)
  }

  @Test func inListOfTexts() throws {
    try wordings.expectCondition(
      "name IN {\"Ann\", \"bob\"}",
      sqlite: """
        (`t0`.`name` IN (?, ?))
        ← “Ann”, “bob”
        """,
      postgreSQL: """
        ("t0"."name" COLLATE "C" IN ($1::text, $2::text))
        ← “Ann”, “bob”
        """)
  }

  @Test func both() throws {
    try wordings.expectCondition(
      "age == 30 AND salary > 1",
      sqlite: """
        (`t0`.`age` = ? AND `t0`.`salary` > ?)
        ← 30, 1
        """,
      postgreSQL: """
        ("t0"."age" = $1::int8 AND "t0"."salary" > $2::float8)
        ← 30, 1.0
        """)
  }

  @Test func either() throws {
    try wordings.expectCondition(
      "name == \"Ann\" OR age == 40",
      sqlite: """
        (`t0`.`name` = ? OR `t0`.`age` = ?)
        ← “Ann”, 40
        """,
      postgreSQL: """
        ("t0"."name" COLLATE "C" = $1::text OR "t0"."age" = $2::int8)
        ← “Ann”, 40
        """)
  }

  /// A missing age is not less than 40, so it is among these.
  @Test func not() throws {
    try wordings.expectCondition(
      "NOT age < 40",
      sqlite: """
        ((`t0`.`age` < ?) IS NOT TRUE)
        ← 40
        """,
      postgreSQL: """
        (("t0"."age" < $1::int8) IS NOT TRUE)
        ← 40
        """)
  }

  @Test func notBoth() throws {
    try wordings.expectCondition(
      "NOT (age == 30 AND salary > 1)",
      sqlite: """
        (((`t0`.`age` = ? AND `t0`.`salary` > ?)) IS NOT TRUE)
        ← 30, 1
        """,
      postgreSQL: """
        ((("t0"."age" = $1::int8 AND "t0"."salary" > $2::float8)) IS NOT TRUE)
        ← 30, 1.0
        """)
  }

  @Test func bothOfEither() throws {
    try wordings.expectCondition(
      "age == 1 AND (salary > 1 OR salary == NULL)",
      sqlite: """
        (`t0`.`age` = ? AND (`t0`.`salary` > ? OR `t0`.`salary` IS NULL))
        ← 1, 1
        """,
      postgreSQL: """
        ("t0"."age" = $1::int8 AND ("t0"."salary" > $2::float8 OR "t0"."salary" IS NULL))
        ← 1, 1.0
        """)
  }

  @Test func twice() throws {
    try wordings.expectCondition(
      "NOT NOT age == 30",
      sqlite: """
        `t0`.`age` = ?
        ← 30
        """,
      postgreSQL: """
        "t0"."age" = $1::int8
        ← 30
        """)
  }

  @Test func always() throws {
    try wordings.expectCondition(
      "TRUEPREDICATE",
      sqlite: "",
      postgreSQL: "")
  }

  @Test func never() throws {
    try wordings.expectCondition(
      "FALSEPREDICATE",
      sqlite: "0",
      postgreSQL: "FALSE")
  }

  @Test func alwaysAmongOthers() throws {
    try wordings.expectCondition(
      "TRUEPREDICATE AND age == 1",
      sqlite: """
        (1 AND `t0`.`age` = ?)
        ← 1
        """,
      postgreSQL: """
        (TRUE AND "t0"."age" = $1::int8)
        ← 1
        """)
  }
}
