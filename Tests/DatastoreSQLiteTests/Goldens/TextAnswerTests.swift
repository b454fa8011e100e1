import DatastoreCore
import Testing

/// SQLite's answers to conditions on text, compared with SQL written without knowledge of this library.
///
/// DatastoreSQLTests tests the statements, for both dialects.
@Suite("Conditions on text: rows")
struct TextAnswerTests {
  @Test(arguments: [
    AnsweredRequest(
      of: "Employee", where: "name == 'Ann'",
      oracle: "SELECT name FROM Employee WHERE name = 'Ann' ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "name ==[c] 'BOB'",
      oracle: "SELECT name FROM Employee WHERE lower(name) = 'bob' ORDER BY _id",
      is: ["bob"]),
    AnsweredRequest(
      of: "Employee", where: "name ==[cd] 'elodie'",
      oracle: "SELECT name FROM Employee WHERE name = 'Élodie' ORDER BY _id",
      is: ["Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "name BEGINSWITH 'C'",
      oracle: "SELECT name FROM Employee WHERE name GLOB 'C*' ORDER BY _id",
      is: ["Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "name BEGINSWITH[c] 'B'",
      oracle: "SELECT name FROM Employee WHERE name LIKE 'b%' ORDER BY _id",
      is: ["bob"]),
    AnsweredRequest(
      of: "Employee", where: "name CONTAINS 'e'",
      oracle: "SELECT name FROM Employee WHERE instr(name, 'e') ORDER BY _id",
      is: ["Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "name ENDSWITH 'd'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '*d' ORDER BY _id",
      is: ["Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "name LIKE '?n*'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '?n*' ORDER BY _id",
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "name MATCHES '[A-C].*'",
      oracle: "SELECT name FROM Employee WHERE name GLOB '[A-C]*' ORDER BY _id",
      is: ["Ann", "Cyd"]),
    AnsweredRequest(
      of: "Employee", where: "name > 'Cyd'",
      oracle: "SELECT name FROM Employee WHERE name > 'Cyd' ORDER BY _id",
      is: ["bob", "Dee", "Élodie"]),
  ])
  func answer(request: AnsweredRequest) async throws {
    try await GoldenFile.company().expect(request)
  }
}
