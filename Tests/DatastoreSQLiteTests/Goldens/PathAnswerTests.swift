import DatastoreCore
import Testing

/// SQLite's answers to paths, compared with SQL written without knowledge of this library.
///
/// DatastoreSQLTests tests the statements, for both dialects.
@Suite("Paths: rows")
struct PathAnswerTests {
  @Test(arguments: [
    AnsweredRequest(
      of: "Employee", where: "company.name == 'Acme'",
      oracle: """
        SELECT e.name FROM Employee e JOIN Company c ON c._id = e.company WHERE c.name = 'Acme' \
        ORDER BY e._id
        """,
      is: ["Ann", "bob"]),
    AnsweredRequest(
      of: "Employee", where: "company == NULL",
      oracle: "SELECT name FROM Employee WHERE company IS NULL ORDER BY _id",
      is: ["Dee"]),
    AnsweredRequest(
      of: "Employee", where: "company == 2",
      oracle: "SELECT name FROM Employee WHERE company = 2 ORDER BY _id",
      is: ["Cyd", "Élodie"]),
    AnsweredRequest(
      "title,owner.company.name", of: "Task",
      oracle: """
        SELECT t.title, c.name FROM Task t LEFT JOIN Employee e ON e._id = t.owner LEFT JOIN \
        Company c ON c._id = e.company ORDER BY t._id
        """,
      is: ["plan|Acme", "build|Acme", "test|Acme"]),
    AnsweredRequest(
      of: "Employee", where: "ANY tasks.estimate > 4",
      oracle: """
        SELECT name FROM Employee WHERE _id IN (SELECT owner FROM Task WHERE estimate > 4) ORDER \
        BY _id
        """,
      is: ["Ann", "bob"]),
    AnsweredRequest(
      of: "Employee", where: "ALL tasks.done == YES",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT owner FROM Task WHERE done IS NOT 1) \
        ORDER BY _id
        """,
      is: ["bob", "Cyd", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "NONE tasks.title == 'plan'",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT owner FROM Task WHERE title = 'plan') \
        ORDER BY _id
        """,
      is: ["bob", "Cyd", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "ANY tags.label == 'red'",
      oracle: """
        SELECT name FROM Employee WHERE _id IN (SELECT Employee FROM Employee_tags JOIN Tag ON \
        Tag._id = tags WHERE label = 'red') ORDER BY _id
        """,
      is: ["Ann", "Cyd"]),
    AnsweredRequest(
      "label", of: "Tag", where: "ANY employees.name == 'Cyd'",
      oracle: """
        SELECT label FROM Tag WHERE _id IN (SELECT tags FROM Employee_tags WHERE Employee = 3) \
        ORDER BY _id
        """,
      is: ["red", "blue"]),
    AnsweredRequest(
      of: "Company", where: "ANY employees.tasks.title == 'test'",
      oracle: "SELECT name FROM Company WHERE _id = 1 ORDER BY _id",
      is: ["Acme"]),
    AnsweredRequest(
      of: "Employee", where: "tasks.@count > 1",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT count(*) FROM Task WHERE owner = Employee._id) > \
        1 ORDER BY _id
        """,
      is: ["Ann"]),
    AnsweredRequest(
      of: "Employee", where: "tags.@count == 0",
      oracle: """
        SELECT name FROM Employee WHERE _id NOT IN (SELECT Employee FROM Employee_tags) ORDER BY \
        _id
        """,
      is: ["bob", "Dee", "Élodie"]),
    AnsweredRequest(
      of: "Employee", where: "tasks.@sum.estimate == 8",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT sum(estimate) FROM Task WHERE owner = \
        Employee._id) = 8 ORDER BY _id
        """,
      is: ["Ann", "bob"]),
    AnsweredRequest(
      of: "Employee", where: "tasks.@max.estimate < 8",
      oracle: """
        SELECT name FROM Employee WHERE (SELECT max(estimate) FROM Task WHERE owner = \
        Employee._id) < 8 ORDER BY _id
        """,
      is: ["Ann"]),
  ])
  func answer(request: AnsweredRequest) async throws {
    try await GoldenFile.company().expect(request)
  }
}
