import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Random queries against a model in memory and against the sqlite3 program on the same file.
@Suite("Random queries")
struct RandomQueryTests {
  /// A person as the model in memory has it.
  private struct Entry: Equatable {
    var name: String
    var age: Int
    var phone: String?
    var born: Date?
    var level: Level?
    var firm: String?
    var chores: [Double]

    var year: Int? {
      born.map { Calendar.utc.component(.year, from: $0) }
    }
  }

  /// One condition in three languages.
  private struct Condition {
    let query: Where<Person>
    let holds: (Entry) -> Bool
    let sql: String
  }

  /// One order in three languages.
  private struct Order {
    let query: OrderBy<Person>
    let isLess: (Entry, Entry) -> Bool
    let sql: String
  }

  private static let firms = ["Hooli", "Initech", "Åkerlund"]
  private static let phones: [String?] = [nil, "1", "22", "1%", "a'b"]

  // Promise: a query finds something else than SQL or a walk through the objects would → random queries
  // (conditions, orders, pages, groups, distinct, aggregates) agree with a model in memory and with the
  // sqlite3 program.
  @Test(
    "Objects, counts, rows, distinct rows and groups agree with both",
    arguments: TestEngine.allCases)
  func agreement(engine: TestEngine) async throws {
    var random = SeededRandom(seed: RandomCases.seed())
    let model = try SwiftDatastoreModel(from: Person.self, Firm.self, Chore.self)
    let datastore =
      try engine == .sqlite
      ? SwiftDatastore(dataModel: model, storeName: UUID().uuidString, storingType: .test)
      : engine.makeDatastore(model)
    let entries = (0..<40).map { Self.entry($0, &random) }
    try await datastore.write { try Self.fill($0, entries) }
    let program = try datastore.url.map { try SQLiteProgram($0) }
    // A local context stays in one place, as the program does.
    let context = datastore.newLocalContext()
    for round in RandomCases.rounds(of: engine == .sqlite ? 1 : 4) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let condition = Self.condition(&random, depth: 3)
      let order = (0..<random.below(3)).map { _ in Self.order(&random) }
      let offset = random.below(3) == 0 ? random.below(10) : 0
      let limit = random.below(2) == 0 ? random.below(12) : 0
      let query = From<Person>().where(condition.query).orderBy(order.map(\.query))
        .offset(offset).limit(limit)
      let found = Self.window(
        Self.sorted(entries.filter(condition.holds), order), offset, limit)
      let note: Comment = "seed \(random.seed): \(query)"
      // In memory.
      #expect(try context.fetch(query).map(\.name) == found.map(\.name), note)
      #expect(try context.count(query) == found.count, note)
      let rows = try context.rows(
        query.select(
          .value(\.$name), .value(\.$age), .value(\.$level), .value(\Person.$firm ~ \.$name),
          .value(\.$chores.count), .value((\Person.$chores ~ \.$hours).sum), .value(\.$born.year)))
      #expect(rows.map(\.0) == found.map(\.name) && rows.map(\.1) == found.map(\.age), note)
      #expect(rows.map(\.2) == found.map(\.level) && rows.map(\.3) == found.map(\.firm), note)
      #expect(rows.map(\.4) == found.map(\.chores.count), note)
      #expect(
        rows.map(\.5) == found.map { $0.chores.isEmpty ? nil : $0.chores.reduce(0, +) }, note)
      #expect(rows.map(\.6) == found.map(\.year), note)
      // By the program.
      let page = limit > 0 || offset > 0 ? " LIMIT \(limit > 0 ? limit : -1) OFFSET \(offset)" : ""
      let sorting = (order.map(\.sql) + ["p._id"]).joined(separator: ", ")
      let selected = program?.run(
        "SELECT p.name FROM Person p WHERE \(condition.sql) ORDER BY \(sorting)\(page)")
      if let selected { #expect(selected == found.map(\.name), note) }
      try expectGroups(condition, entries, context, program, note)
    }
  }

  private func expectGroups(
    _ condition: Condition, _ entries: [Entry], _ context: SwiftDatastoreLocalContext,
    _ program: SQLiteProgram?, _ note: Comment
  ) throws {
    let all = From<Person>().where(condition.query)
    let found = entries.filter(condition.holds)
    let groups = try context.rows(
      all.groupBy(.value(\Person.$firm ~ \.$name), .value(\.$phone)).having(
        .count(), .greaterThan, 1
      )
      .select(.count(), .sum(\.$age), .maximum(\.$name)))
    let lines = groups.map { row -> String in
      let numbers = [row.values.0, row.values.1].map { String($0 ?? 0) }
      let texts = [row.group.0 ?? "", row.group.1 ?? ""]
      return (texts + numbers + [row.values.2 ?? ""]).joined(separator: "|")
    }
    let expected = program?.run(
      """
      SELECT f.name, p.phone, count(*), sum(p.age), max(p.name) FROM Person p \
      LEFT JOIN Firm f ON f._id = p.firm WHERE \(condition.sql) GROUP BY f.name, p.phone \
      HAVING count(*) > 1 ORDER BY f.name, p.phone
      """)
    if let expected { #expect(expected == lines, note) }
    let counts = Dictionary(grouping: found) { "\($0.firm ?? "")|\($0.phone ?? "-")" }
      .filter { $0.value.count > 1 }
    #expect(counts.count == groups.count, note)
    for group in groups {
      let members = counts["\(group.group.0 ?? "")|\(group.group.1 ?? "-")"] ?? []
      #expect(group.values.0 == members.count, note)
      #expect(group.values.1 == members.reduce(0) { $0 + $1.age }, note)
    }
    let phones = try context.rows(all.select(\.$phone).distinct())
    #expect(Set(phones) == Set(found.map(\.phone)) && Set(phones).count == phones.count, note)
    let total = try context.firstRow(
      all.select(.count(), .count(distinct: \.$phone), .minimum(\.$age), .average(\.$chores.count)))
    #expect(total?.0 == found.count, note)
    #expect(total?.1 == Set(found.compactMap(\.phone)).count, note)
    #expect(total?.2 == found.map(\.age).min(), note)
    let chores = found.reduce(0) { $0 + $1.chores.count }
    // A server divides decimals and rounds twice, so that the last bit may be another one.
    let mean = found.isEmpty ? nil : Double(chores) / Double(found.count)
    #expect((total?.3 == nil) == (mean == nil), note)
    #expect(abs((total?.3 ?? 0) - (mean ?? 0)) < 1e-12, note)
  }

  // MARK: Drawing

  private static func entry(_ index: Int, _ random: inout SeededRandom) -> Entry {
    Entry(
      // Names are in the order of keys, so that the model breaks ties as the store does.
      name: "p\(index + 100)", age: random.below(8),
      phone: phones[random.below(phones.count)],
      born: random.below(4) == 0
        ? nil : Date(timeIntervalSinceReferenceDate: Double(random.below(1_000_000_000)) - 5e8),
      level: [nil, .junior, .senior][random.below(3)],
      firm: random.below(4) == 0 ? nil : firms[random.below(firms.count)],
      chores: (0..<random.below(4)).map { _ in Double(random.below(9)) / 2 })
  }

  private static func fill(
    _ context: SwiftDatastoreContext.Closure, _ entries: [Entry]
  ) throws {
    var byName: [String: Firm] = [:]
    for name in firms {
      let firm: Firm = try context.createObject()
      firm.name = name
      byName[name] = firm
    }
    for entry in entries {
      let person: Person = try context.createObject()
      person.name = entry.name
      person.age = entry.age
      person.phone = entry.phone
      person.born = entry.born
      person.level = entry.level
      person.firm = entry.firm.flatMap { byName[$0] }
      for hours in entry.chores {
        let chore: Chore = try context.createObject()
        chore.title = "c"
        chore.hours = hours
        chore.person = person
      }
    }
  }

  private static func condition(_ random: inout SeededRandom, depth: Int) -> Condition {
    let firmName = "(SELECT name FROM Firm WHERE _id = p.firm)"
    let count = "(SELECT count(*) FROM Chore c WHERE c.person = p._id)"
    let year = "CAST(strftime('%Y', p.born + 978307200, 'unixepoch') AS INTEGER)"
    switch depth > 0 ? random.below(10) : random.below(7) {
    case 0:
      let age = random.below(8)
      return Condition(
        query: \.$age >= age, holds: { $0.age >= age }, sql: "p.age >= \(age)")
    case 1:
      let phone = phones[random.below(phones.count)]
      let text = phone.map { "'\($0.replacingOccurrences(of: "'", with: "''"))'" } ?? "NULL"
      return Condition(
        query: \.$phone == phone, holds: { $0.phone == phone }, sql: "p.phone IS \(text)")
    case 2:
      let firm = firms[random.below(firms.count)]
      return Condition(
        query: \.$firm ~ \.$name != firm, holds: { $0.firm != firm },
        sql: "\(firmName) IS NOT '\(firm)'")
    case 3:
      let least = random.below(4)
      return Condition(
        query: \.$chores.count > least, holds: { $0.chores.count > least },
        sql: "\(count) > \(least)")
    case 4:
      let least = Double(random.below(10)) / 2
      return Condition(
        query: (\.$chores ~ \.$hours).any >= least,
        holds: { $0.chores.contains { $0 >= least } },
        sql: "EXISTS (SELECT 1 FROM Chore c WHERE c.person = p._id AND c.hours >= \(least))")
    case 5:
      let bound = 1985 + random.below(32)
      return Condition(
        query: \.$born.year < bound, holds: { $0.year.map { $0 < bound } ?? false },
        sql: "ifnull(\(year) < \(bound), 0)")
    case 6:
      let levels: [Level] = random.below(2) == 0 ? [.senior] : [.junior, .senior]
      return Condition(
        query: levels ~= \.$level, holds: { $0.level.map(levels.contains) ?? false },
        sql: "ifnull(p.level IN (\(levels.map { "\($0.rawValue)" }.joined(separator: ","))), 0)")
    case 7:
      let inner = condition(&random, depth: depth - 1)
      return Condition(
        query: !inner.query, holds: { !inner.holds($0) }, sql: "NOT (\(inner.sql))")
    case 8:
      let (left, right) = (
        condition(&random, depth: depth - 1), condition(&random, depth: depth - 1)
      )
      return Condition(
        query: left.query && right.query, holds: { left.holds($0) && right.holds($0) },
        sql: "((\(left.sql)) AND (\(right.sql)))")
    default:
      let (left, right) = (
        condition(&random, depth: depth - 1), condition(&random, depth: depth - 1)
      )
      return Condition(
        query: left.query || right.query, holds: { left.holds($0) || right.holds($0) },
        sql: "((\(left.sql)) OR (\(right.sql)))")
    }
  }

  private static func order(_ random: inout SeededRandom) -> Order {
    let isAscending = random.below(2) == 0
    func made<V: Comparable>(
      _ ascending: OrderBy<Person>, _ descending: OrderBy<Person>, _ sql: String,
      _ value: @escaping (Entry) -> V?
    ) -> Order {
      Order(
        query: isAscending ? ascending : descending,
        isLess: { left, right in
          let (a, b) = isAscending ? (value(left), value(right)) : (value(right), value(left))
          guard let b else { return false }
          guard let a else { return true }
          return a < b
        }, sql: "\(sql)\(isAscending ? "" : " DESC")")
    }
    return switch random.below(5) {
    case 0: made(.asc(\.$age), .desc(\.$age), "p.age") { $0.age }
    case 1: made(.asc(\.$born), .desc(\.$born), "p.born") { $0.born }
    case 2:
      made(
        .asc(\.$firm ~ \.$name), .desc(\.$firm ~ \.$name),
        "(SELECT name FROM Firm WHERE _id = p.firm)"
      ) { $0.firm.map { Array($0.utf8) }.map(Bytes.init) }
    case 3:
      made(
        .asc(\.$chores.count), .desc(\.$chores.count),
        "(SELECT count(*) FROM Chore c WHERE c.person = p._id)"
      ) { $0.chores.count }
    default:
      made(
        .asc(\.$born.year), .desc(\.$born.year),
        "CAST(strftime('%Y', p.born + 978307200, 'unixepoch') AS INTEGER)"
      ) { $0.year }
    }
  }

  private static func sorted(_ entries: [Entry], _ order: [Order]) -> [Entry] {
    entries.enumerated().sorted { left, right in
      for one in order {
        if one.isLess(left.element, right.element) { return true }
        if one.isLess(right.element, left.element) { return false }
      }
      return left.offset < right.offset
    }.map(\.element)
  }

  private static func window(_ entries: [Entry], _ offset: Int, _ limit: Int) -> [Entry] {
    let rest = entries.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}

/// Text in the order of its bytes.
private struct Bytes: Comparable {
  let bytes: [UInt8]

  static func < (left: Bytes, right: Bytes) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension Calendar {
  fileprivate static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
