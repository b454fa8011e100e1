import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreBrowser

/// Whatever was staged: restoring it and saving gives the file that saving it would have given.
@MainActor
@Suite struct RecoveryRoundTripTests {
  /// Rowids, text keys without rowids, a join table, and all delete rules that need no permission.
  private static let sql = """
    CREATE TABLE Country (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
    CREATE TABLE Person (
      id INTEGER PRIMARY KEY, name TEXT, extra,
      country TEXT REFERENCES Country (code) ON DELETE SET NULL,
      friend_id INTEGER REFERENCES Person (id) ON DELETE SET NULL);
    CREATE TABLE Tag (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE person_tag (
      person_id INTEGER REFERENCES Person (id) ON DELETE CASCADE,
      tag_id INTEGER REFERENCES Tag (id) ON DELETE CASCADE, PRIMARY KEY (person_id, tag_id));
    INSERT INTO Country VALUES ('de', 'Germany'), ('fr', 'France'), ('it', 'Italy');
    INSERT INTO Person VALUES
      (1, 'Ann', 1, 'de', NULL), (2, 'Bob', 2.5, 'fr', 1), (3, 'Cid', x'00ff', NULL, 2),
      (4, 'Dora', NULL, 'de', 4);
    INSERT INTO Tag VALUES (1, 'red'), (2, 'blue'), (3, 'green');
    INSERT INTO person_tag VALUES (1, 1), (1, 2), (2, 2);
    """

  private static let dump = [
    "SELECT code || '|' || quote(name) FROM Country ORDER BY 1",
    """
    SELECT id || '|' || quote(name) || '|' || quote(extra) || '|' || quote(country) || '|'
      || quote(friend_id) FROM Person ORDER BY id
    """,
    "SELECT id || '|' || quote(name) FROM Tag ORDER BY id",
    "SELECT person_id || '|' || tag_id FROM person_tag ORDER BY 1",
  ]

  private static let values: [Value] = [
    .null, 0, 7, .integer(.max), .real(0.1), .real(-2), "", "x\n\"y\"", "ä", .blob(Data([1, 0])),
  ]

  /// One in fifty of the cases, since each needs two files.
  @Test(arguments: RandomCases.rounds(of: 50))
  func restoringAndSavingIsSaving(round: Int) async throws {
    let seed = RandomCases.seed(round)
    let (first, second) = (try TemporaryFile(Self.sql), try TemporaryFile(Self.sql))
    let original = try SwiftDatastore(opening: first.url)
    var draw = SeededRandom(seed: seed)
    try stage(in: original.sharedViewContext, &draw)
    let view = original.sharedViewContext
    let document = RecoveryDocument(
      view.stagedObjects(), schema: original.schema, store: first.url.path,
      keyValues: { view.keyValues(entity: $0, key: $1) })
    let restored = try SwiftDatastore(opening: second.url)
    let runner = EffectRunner(restored)
    let report = try await Restaging(runner, mayBeSaved: true).run(
      RecoveryDocument(document.encoded()).objects)
    #expect(report.conflicts.isEmpty, "seed \(seed)")
    #expect(report.losses.isEmpty, "seed \(seed): \(report.losses)")
    _ = try await view.save()
    _ = try await restored.sharedViewContext.save()
    for query in Self.dump {
      #expect(try second.values(query) == first.values(query), "seed \(seed)")
    }
  }

  /// The bytes of any document have the same meaning as the document. A case is a document.
  @Test func aDocumentComesBackUnchanged() throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    for number in 0..<RandomCases.count {
      let document = try Self.document(&random)
      let read = try RecoveryDocument(document.encoded())
      try #require(read == document, "seed \(seed), document \(number)")
    }
  }

  private static func document(_ random: inout SeededRandom) throws -> RecoveryDocument {
    var document = RecoveryDocument(
      [], schema: try Schema([]), store: text(&random), keyValues: { _, _ in nil })
    document.objects = (0..<random.below(3)).map { _ in object(&random) }
    return document
  }

  private static func object(_ random: inout SeededRandom) -> RecordedObject {
    func references() -> [RecordedValue] { (0..<random.below(3)).map { _ in recovered(&random) } }
    func named<Item>(_ item: () -> Item) -> [String: Item] {
      var items: [String: Item] = [:]
      for _ in 0..<random.below(3) { items[text(&random)] = item() }
      return items
    }
    let kinds = [StagedObject.Kind.inserted, .updated, .deleted]
    return RecordedObject(
      entity: text(&random), object: recovered(&random),
      kind: kinds[random.below(kinds.count)].rawValue,
      changes: named {
        RecordedObject.Change(old: recovered(&random), new: recovered(&random))
      },
      members: random.below(2) == 0
        ? nil
        : named {
          RecordedObject.Members(
            added: references(), removed: references(),
            order: random.below(2) == 0 ? nil : references())
        }, row: random.below(2) == 0 ? nil : named { recovered(&random) })
  }

  private static func recovered(_ random: inout SeededRandom) -> RecordedValue {
    switch random.below(5) {
    case 0: .new(RowKey(Int64(bitPattern: random.next())))
    case 1: .key((0...random.below(3)).map { _ in value(&random) })
    default: .value(value(&random))
    }
  }

  private static func value(_ random: inout SeededRandom) -> Value {
    switch random.below(6) {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    case 2:
      // Any bits but those of a number that is not even equal to itself, which no row holds.
      let real = Double(bitPattern: random.next())
      return .real(real.isNaN ? -.infinity : real)
    case 3: return .blob(Data((0..<random.below(6)).map { _ in UInt8(random.below(256)) }))
    case 4: return values[random.below(values.count)]
    default: return .text(text(&random))
    }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let pieces = ["a", "\"", "\\", "\n", "\u{0}", "\u{2028}", "ä", "日", "👩‍👩‍👧", "/", "{", " ", "1"]
    return (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined()
  }

  private func stage(in view: SwiftDatastoreViewContext, _ draw: inout SeededRandom) throws {
    func all(_ entity: String) throws -> [DynamicObject] {
      try view.fetch(FetchRequest(entity: entity))
    }
    for _ in 0..<Int.random(in: 1...12, using: &draw) {
      let people = try all("Person")
      let tags = try all("Tag")
      let countries = try all("Country")
      guard let person = people.randomElement(using: &draw) else { return }
      switch Int.random(in: 0..<10, using: &draw) {
      case 0, 1: person["extra"] = Self.values.randomElement(using: &draw) ?? .null
      case 2: person["name"] = .text("n\(draw.next())")
      case 3: person.set(countries.randomElement(using: &draw), for: "country")
      case 4: person.set(people.randomElement(using: &draw), for: "friend")
      case 5:
        if let tag = tags.randomElement(using: &draw) {
          let present = person.objects("Tag").contains { $0 === tag }
          person.set(
            present ? person.objects("Tag").filter { $0 !== tag } : person.objects("Tag") + [tag],
            for: "Tag")
        }
      case 6:
        let new = try view.createObject(entityName: "Person")
        new["name"] = .text("new \(draw.next() % 1000)")
        new.set(person, for: "friend")
      case 7:
        let new = try view.createObject(entityName: "Country")
        new["code"] = .text("c\(draw.next())")
        person.set(new, for: "country")
      case 8:
        // The number of a deleted new object would be missing in one of the files.
        if !person.isInserted { view.deleteObject(person) }
      default:
        if let country = countries.randomElement(using: &draw) { view.deleteObject(country) }
      }
    }
  }
}
