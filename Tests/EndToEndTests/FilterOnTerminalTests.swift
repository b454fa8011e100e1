import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Filtering on a terminal", .serialized, .enabled(if: TmuxSession.isPresent, TmuxSession.absence))
struct FilterOnTerminalTests {
  private static let sql = """
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE employee (
      id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
      department_id INTEGER REFERENCES department(id));
    INSERT INTO department VALUES (1, 'Research'), (2, 'Sales');
    INSERT INTO employee VALUES
      (1, 'Ada', 36, 1), (2, 'Grace', 45, 1), (3, 'Zoë', 28, 2), (4, '李小龍', 32, NULL);
    """

  private func browsing() async throws -> TmuxSession {
    let program = try Program()
    try SQLiteFile.make(at: program.directory.url.appending(path: "f.sqlite"), Self.sql)
    let session = try TmuxSession(program)
    try await session.wait(for: "$")
    try session.enter("datastore f.sqlite --entity employee")
    try await session.wait(for: "李小龍", "4 rows")
    return session
  }

  private func leave(_ session: TmuxSession) async throws {
    try session.press("q")
    try await session.wait(for: "the shell") { $0.last == "$" }
  }

  @Test("Filter by text, with completion, history and a saved filter")
  func text() async throws {
    let session = try await browsing()
    try session.press("w")
    try await session.wait(for: "employee where", "4 of 4")
    try session.type("age > 30 AND dep")
    try await session.wait(for: "age > 30 AND dep")
    try session.press("Tab")
    try await session.wait(for: "AND department")
    try session.type(" == ")
    try await session.wait(for: "Research", "Sales", "department ==")
    try session.press("Down", "Enter")
    try await session.wait(for: "age > 30 AND department == 1", "2 of 4")
    try session.press("Enter")
    try await session.wait(for: "2 rows", "where age > 30 AND department == 1")
    // The quick filter adds to it.
    try session.press("Right", "F")
    try await session.wait(for: "1 row ", "employee Grace")
    try session.press("x")
    try await session.wait(for: "employee · 4 rows")
    // The next run remembers the typed condition.
    try await leave(session)
    try session.enter("clear; datastore f.sqlite --entity employee")
    try await session.wait(for: "李小龍", "4 rows")
    try session.press("w")
    try await session.wait(for: "employee where", "4 of 4")
    try session.press("Up", "Up")
    try await session.wait(for: "age > 30 AND department == 1", "2 of 4")
    try session.press("C-o")
    try await session.wait(for: "Save the current filter")
    try session.press("Enter")
    try session.enter("researchers")
    try await session.wait(for: "“researchers” is saved.")
    try session.press("Escape")
    try await session.wait(for: "employee · 4 rows")
    try session.press("w", "C-o")
    try await session.wait(for: "> researchers")
    try session.press("Enter", "Enter")
    try await session.wait(for: "2 rows", "where age > 30 AND department == 1")
    try await leave(session)
  }

  @Test("Filter by form, and the same condition as text")
  func form() async throws {
    let session = try await browsing()
    try session.press("W")
    try await session.wait(for: "ALL of these hold", "4 of 4")
    try session.press("a", "Enter")
    try await session.wait(for: "A property of employee")
    try session.type("age")
    try session.press("Enter")
    try await session.wait(for: "age == a value")
    try session.press("Space", "Space", "Space", "Space")
    try await session.wait(for: "age > a value")
    try session.press("Tab", "Enter")
    try await session.wait(for: "type a value")
    try session.enter("30")
    try await session.wait(for: "age > 30", "3 of 4")
    // A second condition, with an object picked by its name.
    try session.press("a", "Enter")
    try await session.wait(for: "A property of employee")
    try session.type("department")
    try session.press("Enter")
    try await session.wait(for: "department == a value")
    try session.press("Tab", "Enter")
    try await session.wait(for: "A department", "Sales")
    try session.type("res")
    try await session.wait(for: "> Research")
    try session.press("Enter")
    try await session.wait(for: "department == → Research", "2 of 4")
    try session.press("C-t")
    try await session.wait(for: "age > 30 AND department == 1", "2 of 4")
    try session.press("C-t", "w")
    try await session.wait(for: "2 rows", "where age > 30 AND department == 1")
    try await leave(session)
  }
}
