import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

@testable import DatastoreExport

/// Reals that were exported as SQL are the same bits when the sqlite3 program has read them.
@Suite("Reals in SQL")
struct ExactRealTests {
  /// Any bits, decimals of few digits, and large whole numbers.
  private static func real(_ random: inout SeededRandom) -> Double {
    switch random.below(4) {
    case 0:
      let real = Double(bitPattern: random.next())
      return real.isFinite ? real : 0.1
    case 1:
      let digits = String(
        random.below(1_000_000_000_000_000).description.prefix(1 + random.below(15)))
      return Double("\(digits)e-\(random.below(19))") ?? 0
    case 2: return Double(random.next() >> 11) / 1e9
    default: return Double(random.next() >> UInt64(random.below(60))) * 100
    }
  }

  @Test("Reals are read back to the last bit")
  func readBack() async throws {
    // Each case is 20 numbers.
    var random = SeededRandom(seed: RandomCases.seed())
    var reals: [Double] = [
      // SQLite 3.40 reads the shortest digits of these one unit off.
      0.002877, 0.0009233574253, 9.82e-06, 0.07949444587388, 180.2974204426, .pi, 0.1 + 0.2,
      .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 1e22, 1e23,
    ]
    for _ in 0..<RandomCases.count * 20 { reals.append(Self.real(&random)) }
    reals += reals.map { -$0 }
    let directory = try TemporaryDirectory()
    let url = directory.url.appending(path: "reals.sqlite")
    let text = try RowWriterTests.written(
      reals.map { [.real($0)] }, [ExportColumn(name: "x", type: .double)], as: .sql
    ) { $0.table = "t" }
    // Without a type, SQLite stores the value of the text unchanged.
    let answer = try SQLiteFile.output(of: "CREATE TABLE t (x);\n" + text, at: url)
    #expect(answer == "")
    let datastore = try SwiftDatastore(opening: url, readOnly: true)
    let pages = try await datastore.newContext().perform { context in
      try context.core.graph.store.fetch(FetchRequest(entity: "t"))
    }
    var read: [Double] = []
    for page in pages {
      for row in 0..<page.rowCount {
        if case .real(let real) = page.value(row: row, slot: 0) { read.append(real) }
      }
    }
    try datastore.close()
    try #require(read.count == reals.count)
    var wrong: [String] = []
    for (a, b) in zip(reals, read) where a != b { wrong.append("\(a) as \(b)") }
    #expect(
      wrong.isEmpty, "\(wrong.count) of \(reals.count): \(wrong.prefix(5)), seed \(random.seed)")
  }

  @Test("Numbers that people write keep their digits")
  func readable() {
    for text in ["0.1", "19.99", "1234567.891", "-2.5", "1000000.0", "3.14159265"] {
      #expect(SQLiteDigits.areExact(text), "\(text)")
    }
    for text in ["0.002877", "0.30000000000000004", "1.7976931348623157e+308", "5e-324"] {
      #expect(!SQLiteDigits.areExact(text), "\(text)")
    }
  }
}
