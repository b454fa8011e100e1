#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Testing

/// Answers that are values: summaries, groups and SQL that someone types, on tables that psql makes.
struct QuestionTests {
  let store: PostgreSQLStore

  init() throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    try server.psql(
      database,
      """
      CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE TABLE person (id int PRIMARY KEY, name text, age int, active boolean, uid uuid,
        mood mood, born timestamptz, badge bytea);
      INSERT INTO person SELECT i, CASE WHEN i % 4 = 0 THEN NULL ELSE 'Name ' || i % 3 END, i, i % 2 = 0,
        ('00000000-0000-0000-0000-00000000000' || i)::uuid, CASE WHEN i < 4 THEN 'sad' ELSE 'happy' END::mood,
        '2024-01-01 00:00:00+00'::timestamptz + i * interval '1 month', '\\x00'::bytea
        FROM generate_series(1, 8) AS i;
      """)
    store = try PostgreSQLStore(showing: PostgreSQLAddress(server.address(of: database)))
  }

  private let all = FetchRequest(entity: "person")

  @Test func valuesAreCountedInEveryType() throws {
    let names = try store.answer(FrequencyQuestion(of: ["name"], in: all, limit: 2))
    #expect(names.rowCount == 8)
    #expect(names.entries.map(\.count) == [2, 2])
    for name in ["id", "active", "uid", "mood", "born", "badge"] {
      let table = try store.answer(FrequencyQuestion(of: [name], in: all, limit: 10))
      #expect(table.entries.reduce(0) { $0 + $1.count } == 8, "\(name)")
    }
    let sections = try store.answer(SectionsQuestion(all, groupBy: ["name"]))
    #expect(sections.first?.value == .null)
    #expect(sections.map(\.count).reduce(0, +) == 8)
    let months = try store.answer(SectionsQuestion(all, groupBy: ["born", "@month"]))
    #expect(months.first?.value == "2024-02")
  }

  @Test func columnsAreSummedUp() throws {
    let ages = try store.answer(StatisticsQuestion(of: ["age"], in: all))
    #expect(ages.minimum == 1)
    #expect(ages.maximum == 8)
    #expect(ages.numbers?.mean == 4.5)
    #expect(ages.numbers?.median == 4.5)
    let uids = try store.answer(StatisticsQuestion(of: ["uid"], in: all))
    #expect(uids.distinctCount == 8)
    let histogram = try #require(try store.answer(HistogramQuestion(of: ["age"], in: all, bins: 4)))
    #expect(histogram.counts == [2, 2, 2, 2])
    let names = try store.answer(StatisticsQuestion(of: ["name"], in: all))
    #expect(names.textLengths == 6...6)
    #expect(names.nullCount == 2)
  }

  @Test func textIsFoundAsItIsShown() throws {
    let person = try #require(store.schema.entity(named: "person"))
    func found(_ text: String, _ name: String) throws -> Set<RowKey> {
      try store.answer(MatchingKeysQuestion(containing: text, at: [[name]], entity: person.index))
    }
    #expect(try found("NAME 1", "name") == [1, 7])
    #expect(try found("true", "active") == [2, 4, 6, 8])
    #expect(try found("SAD", "mood") == [1, 2, 3])
    #expect(try found("2024-02", "born") == [1])
  }

  @Test func typedSQLIsReadAndNothingElse() throws {
    let answer = try store.answer(
      SQLQuestion("SELECT name, age FROM person WHERE id = $1", [.integer(2)]))
    #expect(answer.columns == ["name", "age"])
    #expect(answer.rows == [["Name 2", 2]])
    #expect(throws: SQLTextError.self) { try store.answer(SQLQuestion("SELEKT 1", [])) }
    let writing = #expect(throws: SQLTextError.self) {
      try store.answer(SQLQuestion("DELETE FROM person RETURNING id", []))
    }
    #expect(writing?.isWriting == true)
    // Types without a value here come as the server writes them, whatever the columns are called.
    let texts = try store.answer(
      SQLQuestion(
        """
        SELECT '{1,2}'::int[] AS list, date '2024-02-29' AS "a ""b", 'sad'::mood AS list, id
        FROM person WHERE id = $1 -- one row
        ;
        """, [.integer(2)]))
    #expect(texts.columns == ["list", "a \"b", "list", "id"])
    #expect(texts.rows == [["{1,2}", "2024-02-29", "sad", 2]])
    let unread = #expect(throws: SQLTextError.self) {
      try store.answer(SQLQuestion("SELECT '{1,2}'::int[] AS list; -- a list", []))
    }
    #expect(unread?.message.contains("list::text") == true)
    let tables = try store.answer(SQLNamesQuestion())
    #expect(tables.map(\.table) == ["person"])
    #expect(tables.first?.columns.first == "id")
  }
}
#endif
