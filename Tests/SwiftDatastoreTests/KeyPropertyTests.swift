import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

/// Objects of files whose keys are texts or several columns get their keys when they are saved: with any
/// staged changes meanwhile, every context finds them under the new ones.
@Suite("Keys that the file decides")
struct KeyPropertyTests {
  private static let sql = """
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE city (
      id INTEGER PRIMARY KEY, name TEXT, country TEXT REFERENCES country (code));
    CREATE TABLE visit (
      place TEXT, day INTEGER, note TEXT, country TEXT REFERENCES country (code),
      PRIMARY KEY (place, day)) WITHOUT ROWID;
    """

  /// A case is one operation, after which the graph is consistent and has the expected content. Every tenth
  /// is followed by a save, after which a second context and a new one have the same.
  @Test(arguments: RandomCases.rounds(of: 50))
  func randomOperations(round: Int) async throws {
    let seed = RandomCases.seed(round)
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("keys.db")
    try SQLiteFile.make(at: url, Self.sql)
    let datastore = try SwiftDatastore(opening: url)
    let other = datastore.newContext()
    var expected = Expected()
    var random = SeededRandom(seed: seed)
    let context = datastore.newContext()
    for turn in 0..<5 {
      let (former, generator) = (expected, random)
      (expected, random) = try await context.perform { context in
        var expected = former
        var random = generator
        for step in 0..<10 {
          try Self.operate(context, &expected, &random, turn * 10 + step)
          let note = Comment(rawValue: "seed \(seed), turn \(turn), step \(step)")
          try #require(context.core.graph.brokenInvariants() == [], note)
          try #require(try Expected(context) == expected, note)
        }
        try context.saveChanges()
        try #require(context.core.graph.brokenInvariants() == [], "seed \(seed), turn \(turn)")
        try #require(try Expected(context) == expected, "seed \(seed), turn \(turn), saved")
        return (expected, random)
      }
      for reader in [other, datastore.newContext()] {
        let read = try await reader.perform { context in
          #expect(context.core.graph.brokenInvariants() == [])
          return try Expected(context)
        }
        try #require(read == expected, "seed \(seed), turn \(turn), another context")
      }
    }
    try datastore.close()
  }

  private static func operate(
    _ context: SwiftDatastoreContext.Closure, _ expected: inout Expected,
    _ random: inout SeededRandom, _ step: Int
  ) throws {
    let countries = try context.all("country", by: "code")
    let cities = try context.all("city", by: "name")
    let visits = try context.all("visit", by: "note")
    let country = countries.randomElement(using: &random)
    let code = country?.text("code")
    switch random.below(8) {
    case 0, 1:
      let new = try context.createObject(entityName: "country")
      new["code"] = .text("c\(step)")
      expected.countries["c\(step)"] = ""
    case 2:
      let city = try context.createObject(entityName: "city")
      city["name"] = .text("t\(step)")
      city.set(country, for: "country")
      expected.cities["t\(step)"] = .some(code)
    case 3:
      guard let country, let code else { return }
      let visit = try context.createObject(entityName: "visit")
      visit["place"] = .text("p\(step % 3)")
      visit["day"] = .integer(Int64(step))
      visit["note"] = .text("v\(step)")
      visit.set(country, for: "country")
      expected.visits["v\(step)"] = code
    case 4:
      guard let city = cities.randomElement(using: &random), let name = city.text("name") else {
        return
      }
      city.set(country, for: "country")
      expected.cities[name] = .some(code)
    case 5:
      guard let country, let code else { return }
      country["name"] = .text("n\(step)")
      expected.countries[code] = "n\(step)"
    case 6:
      guard let visit = visits.randomElement(using: &random), let note = visit.text("note") else {
        return
      }
      context.deleteObject(visit)
      expected.visits[note] = nil
    default:
      guard let city = cities.randomElement(using: &random), let name = city.text("name") else {
        return
      }
      context.deleteObject(city)
      expected.cities[name] = nil
    }
  }
}

/// Everything in the file, by names instead of keys.
private struct Expected: Equatable, Sendable {
  var countries: [String: String] = [:]
  var cities: [String: String?] = [:]
  var visits: [String: String] = [:]

  init() {}

  init(_ context: SwiftDatastoreContext.Closure) throws {
    for country in try context.all("country") {
      countries[country.text("code") ?? "?"] = country.text("name") ?? ""
    }
    for city in try context.all("city") {
      cities[city.text("name") ?? "?"] = .some(city.object("country")?.text("code"))
    }
    for visit in try context.all("visit") {
      visits[visit.text("note") ?? "?"] = visit.object("country")?.text("code") ?? "?"
    }
  }
}

extension DynamicObject {
  /// The text of a property; nil for other values.
  fileprivate func text(_ name: String) -> String? {
    if case .text(let text) = self[name] { text } else { nil }
  }
}
