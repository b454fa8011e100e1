import DatastoreCore
import DatastoreFar
import DatastoreSQLite
import DatastoreTestSupport
import Foundation
import Testing

/// Anything may come over a line: it ends neither end, and neither end trusts it.
@Suite("What comes over a line is somebody else's") struct HostileLineTests {
  /// A page with cells of every kind, narrow and wide, alone and mixed.
  private static func page(_ random: inout SeededRandom) -> RowPage {
    let columns = random.below(5)
    let page = RowPage(columnCount: columns, rowCapacity: 4)
    for _ in 0..<random.below(6) {
      let row = page.appendRow(key: RowKey(Int64(random.below(4)) << (8 * Int64(random.below(7)))))
      for column in 0..<columns {
        switch (column + random.below(2) * random.below(5)) % 5 {
        case 0: page.setInteger(Int64(random.below(300)) - 150, row: row, column: column)
        case 1: page.setReal(Double(random.below(9)) / 4, row: row, column: column)
        case 2:
          page.setValue(
            .text(String(repeating: "é", count: random.below(200))), row: row, column: column)
        case 3: page.setValue(.blob(Data([0, 1, 2])), row: row, column: column)
        default: page.setNull(row: row, column: column)
        }
      }
    }
    page.seal()
    return page
  }

  private static func values(_ page: RowPage) -> [[Value]] {
    (0..<page.rowCount).map { row in
      [.key(page.key(ofRow: row))]
        + (0..<page.columnCount).map { page.value(row: row, column: $0) }
    }
  }

  @Test("A page of rows comes as it was sent; of spoilt bytes comes none, or one that can be read")
  func pages() {
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<RandomCases.count {
      let page = Self.page(&random)
      var bytes = Data()
      page.append(to: &bytes)
      #expect(RowPage.read(bytes).map(Self.values) == Self.values(page))
      for _ in 0..<4 {
        var spoilt = bytes
        for _ in 0...random.below(3) {
          spoilt[random.below(spoilt.count)] = UInt8(random.below(256))
        }
        if random.below(4) == 0 { spoilt.removeLast(random.below(spoilt.count)) }
        // Reading any cell must not leave the page.
        _ = RowPage.read(spoilt).map(Self.values)
      }
    }
  }

  /// Bytes that are spoilt now and then.
  private final class Spoiler: Sendable {
    private let random: Lock<SeededRandom>

    init(_ seed: UInt64) { random = Lock(SeededRandom(seed: seed)) }

    func spoil(_ bytes: inout [UInt8]) {
      bytes = random.withLock { random in
        var bytes = bytes
        for _ in 0...random.below(3) {
          let place = random.below(bytes.count)
          switch random.below(4) {
          case 0: bytes[place] = UInt8(random.below(256))
          case 1: bytes[place] ^= 1 << UInt8(random.below(8))
          // A digit of the JSON, which most bytes are.
          case 2: bytes[place] = UInt8(ascii: "0") + UInt8(random.below(10))
          default: bytes.swapAt(place, random.below(bytes.count))
          }
        }
        return bytes
      }
    }
  }

  // Promise: Whatever a spoilt or hostile end sends over a line → the other one says so, or goes on, and
  // never ends
  @Test("Neither end is ended by what the other sends", arguments: Relay.Side.allCases)
  func spoiltMessages(_ side: Relay.Side) async throws {
    let directory = try TemporaryDirectory()
    var refused = 0
    let rounds = max(RandomCases.count / 10, 4)
    for round in 0..<rounds {
      let url = directory.url.appending(path: "\(round).sqlite")
      do {
        let store: any StoreEngine = try SQLiteStore(CompanySchema.schema, at: url)
        var changes = Changes(store)
        let company = try changes.insert("Company", ["name": "Acme"])
        for number in 0..<20 {
          try changes.insert(
            "Employee",
            ["name": .text("E\(number)"), "age": .integer(Int64(number)), "company": .key(company)])
        }
        _ = try store.save(changes.set)
        try store.close()
      }
      let spoiler = Spoiler(RandomCases.seed(round))
      let isSpoiltAtOnce = round % 4 == 0
      do {
        let pair = try FarPair(of: CompanySchema.schema, at: url) { relay in
          // After a spoilt length, both ends wait for the other: the line ends some time, as all lines do.
          DispatchQueue.global().asyncAfter(deadline: .now() + 1) { relay.end() }
          if isSpoiltAtOnce { relay.spoil(side) { spoiler.spoil(&$0) } }
        }
        defer { try? pair.store.close() }
        if !isSpoiltAtOnce { pair.relay.spoil(side) { spoiler.spoil(&$0) } }
        try await Self.ask(pair.store)
      } catch {
        refused += 1
        #expect(!"\(error)".isEmpty)
      }
      // Whatever came over the line, the file is whole.
      let after = try SQLiteStore(existing: url, isReadOnly: true)
      #expect(try after.integrityFaults() == [])
      try after.close()
    }
    print("spoilt lines, \(side): \(refused) of \(rounds) refused")
    #expect(refused > 0)
  }

  @Test(
    "Nobody waits for ever for a shell at the other end",
    arguments: ["", "echo datastore: begins;", "printf 'datastore: begins\\nhalf a line';"])
  func silence(_ said: String) {
    // It reads what it is sent, and the words that follow are its arguments.
    let address = FarAddress(command: "sh -c '\(said) exec cat > /dev/null' far", path: "f.sqlite")
    var brought = address
    brought.bringing = FarBringing(patience: 0.05)
    #expect(throws: StoreError.self) { try brought.words([]) }
    #expect(throws: StoreError.self) { try FarCopying(of: address, patience: 0.05) }
  }

  /// A bit of everything.
  private static func ask(_ store: FarStore) async throws {
    let request = FetchRequest(
      entity: "Employee", sortDescriptors: [SortDescriptor(["age"], ascending: false)])
    let list = try await store.answer(KeyListQuestion(request, groupBy: ["company", "name"]))
    let employee = try #require(store.schema.entity(named: "Employee"))
    for page in try store.rows(entity: employee.index, keys: Array(list.keys)) {
      _ = values(page)
    }
    _ = try await store.answer(FrequencyQuestion(of: ["age"], in: request, limit: 10))
    _ = try await store.answer(SQLQuestion("SELECT * FROM \"Employee\"", []))
    _ = try await store.fetch(request)
    _ = try store.externalChanges()
    var changes = Changes(store)
    try changes.insert("Employee", ["name": "new"])
    _ = try store.save(changes.set)
    _ = try store.update(
      entity: employee.index, where: nil,
      assigning: [(try #require(employee.slot(named: "age")), 1)],
      unless: nil)
  }
}
