import DatastoreCore
import DatastoreSQL
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

@Suite(
  "Dates in third-party files", .enabled(if: SQLiteCommand.isPresent, "\(SQLiteCommand.absence)"))
struct DateRecognitionTests {
  private let directory: TemporaryDirectory
  private var url: URL { directory.url.appending(path: "dates.sqlite") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func open(_ annotations: SchemaAnnotations? = SchemaAnnotations()) throws -> SQLiteStore {
    try SQLiteStore(existing: url, annotations: annotations, isReadOnly: true)
  }

  /// The conventions that were found, by column.
  private func found(_ sql: String, table: String = "t") throws -> [String: String] {
    try SQLiteCommand.run(sql, on: url)
    let store = try open()
    let entity = try #require(store.schema.entity(named: table))
    var found: [String: String] = [:]
    for case .attribute(let attribute) in entity.properties {
      found[attribute.name] = attribute.dateConvention?.name
    }
    try store.close()
    return found
  }

  /// 1,000 rows of a moment in every convention, made by SQLite: one each 13 hours from 2019 on.
  private static let log = """
    CREATE TABLE log (id INTEGER PRIMARY KEY, name TEXT, created_at INTEGER, updatedAt INTEGER,
      visit_time INTEGER, ns_timestamp INTEGER, webkit_time INTEGER, filetime INTEGER,
      "date" DATETIME, day DATE, iso_date TEXT, julian_date REAL, apple_date REAL);
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999),
      s(i, s) AS (SELECT i, 1546300800 + i * 46803 FROM n)
    INSERT INTO log SELECT i, 'row ' || i, s, s * 1000 + 123, s * 1000000 + 456,
      s * 1000000000 + 789, (s + 11644473600) * 1000000, (s + 11644473600) * 10000000,
      strftime('%Y-%m-%d %H:%M:%S', s, 'unixepoch'), date(s, 'unixepoch'),
      strftime('%Y-%m-%dT%H:%M:%SZ', s, 'unixepoch'), julianday(s, 'unixepoch'),
      s - 978307200 + 0.25 FROM s;
    CREATE INDEX log_created ON log (created_at);
    """

  private static let conventions = [
    "created_at": "unix-seconds", "updatedAt": "unix-milliseconds",
    "visit_time": "unix-microseconds", "ns_timestamp": "unix-nanoseconds", "webkit_time": "webkit",
    "filetime": "filetime", "date": "2001-01-01 00:00:00", "day": "2001-01-01",
    "iso_date": "2001-01-01T00:00:00Z", "julian_date": "julian-day", "apple_date": "apple-seconds",
  ]

  @Test("Every convention is recognised by name or type, and by values")
  func recognised() throws {
    #expect(try found(Self.log, table: "log") == Self.conventions)
  }

  // Promise: a number only looks like a date → it stays a number: name or type and all values looked at
  // must say date.
  // Also: `DateRecognitionTests.ambiguous`
  @Test("Nothing is a date that only looks like one")
  func notRecognised() throws {
    // Identifiers, prices, users and counts within the range of dates; mixed values; other names.
    #expect(
      try found(
        """
        CREATE TABLE t (id INTEGER, created_by INTEGER, price INTEGER, last_update_id INTEGER,
          number INTEGER, note TEXT, time_zone INTEGER, mixed_date, words_date TEXT, blob_date BLOB,
          empty_date INTEGER, small_time INTEGER, old_time INTEGER, zone_date TEXT,
          candidate INTEGER, elapsed_time INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
        INSERT INTO t SELECT 1700000000 + i, 1700000000 + i, 1700000000 + i, 1700000000 + i,
          1700000000 + i, '2024-01-01', 1700000000 + i, iif(i % 2, 1700000000, '2024-01-01'),
          iif(i = 40, 'soon', '2024-01-01'), x'00', NULL, 3600 * i, 700000000 + i,
          '2024-01-01T10:00:00+02:00',
          1700000000 + i, 1700000000 + i FROM n;
        UPDATE t SET words_date = 'soon' WHERE rowid = 3;
        """) == [:])
  }

  @Test("A cell that is longer than any date is not read, and its column holds no dates")
  func longCells() throws {
    #expect(
      try found(
        """
        CREATE TABLE t (short_date TEXT, text_date TEXT);
        INSERT INTO t VALUES ('2024-01-01', printf('%.*c', 2000000, '1'));
        """) == ["short_date": "2001-01-01"])
    #expect(
      try found(
        "CREATE TABLE u (a_date TEXT, b BLOB); INSERT INTO u VALUES ('2024-01-01', zeroblob(3000000))",
        table: "u")
        == ["a_date": "2001-01-01"])
  }

  @Test("Zero stands for “none”; NULL says nothing")
  func none() throws {
    #expect(
      try found(
        """
        CREATE TABLE t (visited INTEGER, deleted_at INTEGER);
        INSERT INTO t VALUES (13353685509123456, 1709211909), (0, NULL), (13353685509123457, 0);
        """) == ["visited": "webkit", "deleted_at": "unix-seconds"])
  }

  @Test("Numbers that may count from 1970 or from 2001 are dates only where the file tells which")
  func ambiguous() throws {
    let rows = "INSERT INTO t VALUES (730904709), (730904800);"
    #expect(try found("CREATE TABLE t (created_at INTEGER); " + rows) == [:])
    #expect(
      try found("CREATE TABLE Z_METADATA (Z_UUID TEXT);") == ["created_at": "apple-seconds"])
  }

  @Test(
    "Only some rows of both ends are looked at, whatever the size of the table and of its cells")
  func cost() throws {
    #expect(
      try found(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB, made_at INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
        INSERT INTO t SELECT i, zeroblob(400000), iif(i BETWEEN 30 AND 70, 17, 1700000000 + i) FROM n;
        """) == ["made_at": "unix-seconds"])
  }

  @Test("What is said of a column counts, whatever its name and values say")
  func annotations() throws {
    try SQLiteCommand.run(
      Self.log
        + "CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (1709211909); CREATE VIEW v AS SELECT * FROM t;",
      on: url)
    var annotations = SchemaAnnotations()
    annotations.setDates(.plain, of: "created_at", in: "log")
    annotations.setDates(.stored(.unixSeconds), of: "x", in: "t")
    annotations.setDates(.stored(.unixSeconds), of: "x", in: "v")
    let kept = try JSONDecoder().decode(
      SchemaAnnotations.self, from: JSONEncoder().encode(annotations))
    #expect(kept == annotations)
    let store = try open(kept)
    func convention(_ entity: String, _ slot: Slot) -> DateConvention? {
      store.schema.entity(named: entity)?.properties[slot].attribute?.dateConvention
    }
    #expect(convention("log", 2) == nil && convention("log", 3) == .unixMilliseconds)
    #expect(convention("t", 0) == .unixSeconds && convention("v", 0) == .unixSeconds)
    annotations.setDates(nil, of: "created_at", in: "log")
    let again = try open(annotations)
    #expect(
      again.schema.entity(named: "log")?.properties[2].attribute?.dateConvention == .unixSeconds)
    // Programs that do not ask for dates get the declared columns.
    #expect(
      try open(nil).schema.entity(named: "log")?.properties.compactMap(\.attribute?.dateConvention)
        == [])
  }

  /// How SQLite itself makes a moment of each column: seconds since 1970.
  private static let seconds = [
    "created_at": "created_at", "updatedAt": "updatedAt / 1000",
    "visit_time": "visit_time / 1000000",
    "ns_timestamp": "ns_timestamp / 1000000000",
    "webkit_time": "webkit_time / 1000000 - 11644473600",
    "filetime": "filetime / 10000000 - 11644473600", "date": "strftime('%s', \"date\")",
    "day": "strftime('%s', day)", "iso_date": "strftime('%s', iso_date)",
    "julian_date": "strftime('%s', julian_date)",
    "apple_date": "CAST(apple_date + 978307200 AS INTEGER)",
  ]

  // Promise: parts of dates → those of SQLite's own functions, for every convention.
  @Test(
    "Years, months and days are those of SQLite's own functions",
    arguments: conventions.keys.sorted())
  func sections(column: String) throws {
    try SQLiteCommand.run(
      Self.log + "UPDATE log SET \"\(column)\" = NULL WHERE id % 100 = 7;", on: url)
    let store = try open()
    let seconds = try #require(Self.seconds[column])
    // The Thursday of a week decides the year of the week.
    let thursday = "\(seconds), 'unixepoch', '-3 days', 'weekday 4'"
    let parts: [(DatePart, String)] = [
      (.year, "strftime('%Y', \(seconds), 'unixepoch')"),
      (.month, "strftime('%Y-%m', \(seconds), 'unixepoch')"),
      (.day, "strftime('%Y-%m-%d', \(seconds), 'unixepoch')"),
      (
        .quarter,
        "strftime('%Y', \(seconds), 'unixepoch') || '-Q' || ((strftime('%m', \(seconds), 'unixepoch') + 2) / 3)"
      ),
      (
        .week,
        "strftime('%Y', \(thursday)) || '-W' || printf('%02d', (strftime('%j', \(thursday)) - 1) / 7 + 1)"
      ),
      (.weekday, "(strftime('%w', \(seconds), 'unixepoch') + 6) % 7 + 1"),
      // A date without a time has no hour.
      (
        .hour,
        column == "day" ? "NULL" : "CAST(strftime('%H', \(seconds), 'unixepoch') AS INTEGER)"
      ),
    ]
    #expect(Set(parts.map(\.0)) == Set(DatePart.allCases))
    for (part, expression) in parts {
      let path = [column, part.step]
      let expected = try SQLiteCommand.run(
        """
        SELECT coalesce(\(expression), 'none') AS part, count(*) \
        FROM log GROUP BY 1 ORDER BY part = 'none' DESC, part
        """, on: url)
      let sections = try store.answer(SectionsQuestion(FetchRequest(entity: "log"), groupBy: path))
      #expect(
        sections.map { "\($0.value.isNull ? "none" : $0.value.plain)|\($0.count)" }
          .joined(separator: "\n") == expected)
      // The list itself has the same sections, in one pass with its rows.
      let list = try store.answer(KeyListQuestion(FetchRequest(entity: "log"), groupBy: path))
      #expect(list.sections.map(\.value) == sections.map(\.value))
      #expect(list.sections.map(\.count) == sections.map(\.count) && list.keys.count == 1000)
    }
  }

  @Test(
    "A condition with a date finds what SQLite's functions find",
    arguments: conventions.keys.sorted())
  func conditions(column: String) throws {
    try SQLiteCommand.run(Self.log, on: url)
    let store = try open()
    let entity = try #require(store.schema.entity(named: "log"))
    let seconds = try #require(Self.seconds[column])
    let bound = "2019-06-15T12:30:00Z"
    for comparator in ["<", "<=", ">", ">=", "=="] {
      let predicate = try Predicate.parse(
        "\(column) \(comparator) \(bound)", entity: entity, in: store.schema)
      let found = try store.count(FetchRequest(entity: "log", predicate: predicate))
      let isDay = column == "day"
      let own =
        isDay
        ? "day \(comparator) '2019-06-15 12:30:00'"
        : """
        CAST(\(seconds) AS INTEGER) \(comparator) CAST(strftime('%s', '\(bound)') AS INTEGER)
        """
      let expected = try SQLiteCommand.run("SELECT count(*) FROM log WHERE \(own)", on: url)
      #expect("\(found)" == expected, "\(column) \(comparator)")
    }
    let month = try Predicate.parse(
      "\(column).@month == \"2019-06\"", entity: entity, in: store.schema)
    #expect(
      try "\(store.count(FetchRequest(entity: "log", predicate: month)))"
        == SQLiteCommand.run(
          "SELECT count(*) FROM log WHERE strftime('%Y-%m', \(seconds), 'unixepoch') = '2019-06'",
          on: url))
  }

  @Test("A condition on dates uses the index of the column")
  func index() throws {
    try SQLiteCommand.run(Self.log, on: url)
    let traced = Lines()
    let store = try SQLiteStore(
      existing: url, annotations: SchemaAnnotations(), isReadOnly: true,
      trace: { traced.add($0) })
    let entity = try #require(store.schema.entity(named: "log"))
    let predicate = try Predicate.parse(
      "created_at >= 2020-01-01 AND created_at < 2020-02-01", entity: entity, in: store.schema)
    _ = try store.count(FetchRequest(entity: "log", predicate: predicate))
    let statement = try #require(traced.all.last { $0.contains("count(*)") })
    let plan = try SQLiteCommand.run("EXPLAIN QUERY PLAN " + statement, on: url)
    #expect(plan.contains("log_created") && plan.contains("created_at>"), "\(plan)")
  }
}

/// Lines from any thread.
private final class Lines: Sendable {
  private let lines = Lock<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

extension Value {
  fileprivate var plain: String {
    switch self {
    case .integer(let integer): String(integer)
    case .text(let text): text
    default: "\(self)"
    }
  }
}
