import DatastoreCore
import Testing

/// SQLite's answers to comparisons, compared with SQL written without knowledge of this library.
///
/// DatastoreSQLTests tests the statements, for both dialects.
@Suite("Comparisons: rows")
struct ComparisonAnswerTests {
  @Test(arguments: [
    AnsweredRequest(
      of: "Employee", where: "age == 30",
      oracle: "SELECT name FROM Employee WHERE age = 30 ORDER BY _id",
      is: ["Ann", "Dee"]),
    AnsweredRequest(
      of: "Employee", where: "age != 30",
      oracle: "SELECT name FROM Employee WHERE age IS NOT 30 ORDER BY _id",
      is: ["bob", "Cyd", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "age < 40",
      oracle: "SELECT name FROM Employee WHERE age < 40 ORDER BY _id",
      is: ["Ann", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "salary >= 7.5",
      oracle: "SELECT name FROM Employee WHERE salary >= 7.5 ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "age == NULL",
      oracle: "SELECT name FROM Employee WHERE age IS NULL ORDER BY _id",
      is: ["Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "age != NULL",
      oracle: "SELECT name FROM Employee WHERE age IS NOT NULL ORDER BY _id",
      is: ["Ann", "bob", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "age BETWEEN {25, 30}",
      oracle: "SELECT name FROM Employee WHERE age BETWEEN 25 AND 30 ORDER BY _id",
      is: ["Ann", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "age IN {25, 40}",
      oracle: "SELECT name FROM Employee WHERE age IN (25, 40) ORDER BY _id",
      is: ["bob", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "age IN {40, NULL}",
      oracle: "SELECT name FROM Employee WHERE age = 40 OR age IS NULL ORDER BY _id",
      is: ["bob", "Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "age == 30 AND salary > 1",
      oracle: "SELECT name FROM Employee WHERE age = 30 AND salary > 1 ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "name == 'Ann' OR age == 40",
      oracle: "SELECT name FROM Employee WHERE name = 'Ann' OR age = 40 ORDER BY _id",
      is: ["Ann", "bob"]),
    AnsweredRequest(
      of: "Employee", where: "NOT age < 40",
      oracle: "SELECT name FROM Employee WHERE age >= 40 OR age IS NULL ORDER BY _id",
      is: ["bob", "Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "TRUEPREDICATE",
      oracle: "SELECT name FROM Employee ORDER BY _id",
      is: ["Ann", "bob", "Cyd", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "FALSEPREDICATE",
      oracle: "SELECT name FROM Employee WHERE 0 ORDER BY _id",
      is: []),
    AnsweredRequest(
      of: "Employee", where: "age + 10 == 40",
      oracle: "SELECT name FROM Employee WHERE age + 10 = 40 ORDER BY _id",
      is: ["Ann", "Dee"]),
    AnsweredRequest(
      of: "Employee", where: "salary < age",
      oracle: "SELECT name FROM Employee WHERE salary < age ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "bonus < 10",
      oracle: "SELECT name FROM Employee WHERE CAST(bonus AS REAL) < 10 ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      "title", of: "Task", where: "done == YES",
      oracle: "SELECT title FROM Task WHERE done = 1 ORDER BY _id",
      is: ["plan", "test"]),
    AnsweredRequest(
      of: "Employee", where: "SELF == 2",
      oracle: "SELECT name FROM Employee WHERE _id = 2 ORDER BY _id",
      is: ["bob"]),
    AnsweredRequest(
      "photo", of: "Employee", where: "photo != NULL",
      oracle: "SELECT hex(photo) FROM Employee WHERE photo IS NOT NULL ORDER BY _id",
      is: ["CAFE"]),
  ])
  func answer(request: AnsweredRequest) async throws {
    try await GoldenFile.company().expect(request)
  }
}
