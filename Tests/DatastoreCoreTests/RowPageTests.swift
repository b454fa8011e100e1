import DatastoreTestSupport
import Testing

import struct Foundation.Data

@testable import DatastoreCore

@Suite("Packed rows")
struct RowPageTests {
  private static let columnCount = 4

  /// The values of one column of a random page; their common properties decide how it is packed.
  private struct ColumnKind {
    var mayBeNull: Bool
    var classes: [CellTag]
    var magnitude: Int64
    var isWhole: Bool
    var longestText: Int

    init(using generator: inout SeededRandom) {
      mayBeNull = Bool.random(using: &generator)
      let all: [CellTag] = [.null, .integer, .real, .text, .blob]
      let count = [1, 1, 1, 2, 5].randomElement(using: &generator) ?? 1
      classes = (0..<count).map { _ in all.randomElement(using: &generator) ?? .null }
      magnitude =
        [1, 127, 128, 32_767, 32_768, 1 << 31 - 1, 1 << 31, .max].randomElement(
          using: &generator) ?? 1
      isWhole = Bool.random(using: &generator)
      longestText = [0, 10, 255, 256, 700].randomElement(using: &generator) ?? 0
    }

    func value(using generator: inout SeededRandom) -> Value {
      if mayBeNull, Int.random(in: 0..<4, using: &generator) == 0 { return .null }
      switch classes.randomElement(using: &generator) ?? .null {
      case .null: return .null
      case .integer:
        return .integer(Int64.random(in: (-magnitude - 1)...magnitude, using: &generator))
      case .real:
        let special = [0.0, -0.0, .infinity, 2_147_483_648, -2_147_483_649]
        if Int.random(in: 0..<40, using: &generator) == 0 {
          return .real(special.randomElement(using: &generator) ?? 0)
        }
        let whole = Double(Int32.random(in: .min ... .max, using: &generator))
        return .real(isWhole ? whole : whole / 7)
      case .text:
        let length = Int.random(in: 0...longestText, using: &generator)
        let character = ["a", "é", "漢"].randomElement(using: &generator) ?? "a"
        return .text(String(repeating: character, count: length))
      case .blob:
        let length = Int.random(in: 0...longestText, using: &generator)
        return .blob(Data(repeating: UInt8.random(in: 0...255, using: &generator), count: length))
      }
    }
  }

  @Test("Every cell of a sealed page reads as it was set, also on pages that reuse buffers")
  func roundTrips() {
    for round in RandomCases.rounds(of: 3) {
      let seed = RandomCases.seed(round)
      var generator = SeededRandom(seed: seed)
      var page = RowPage(
        columnCount: Self.columnCount, rowCapacity: Int.random(in: 1...60, using: &generator))
      for number in 0..<3 {
        let kinds = (0..<Self.columnCount).map { _ in ColumnKind(using: &generator) }
        let span = [100, 40_000, 1 << 40].randomElement(using: &generator) ?? 100
        var rows: [(key: RowKey, values: [Value])] = []
        for _ in 0..<Int.random(in: 0...60, using: &generator) {
          let key = RowKey(Int.random(in: -span...span, using: &generator))
          let row = page.appendRow(key: key)
          let values = kinds.map { $0.value(using: &generator) }
          for (column, value) in values.enumerated() where !value.isNull {
            page.setValue(value, row: row, column: column)
          }
          if Int.random(in: 0..<10, using: &generator) == 0 {
            page.removeLastRow()
          } else {
            rows.append((key, values))
          }
        }
        let next = RowPage(sealing: page)
        let read = (0..<page.rowCount).map { row in
          (0..<Self.columnCount).map { page.value(row: row, column: $0) }
        }
        let keys = (0..<page.rowCount).map { page.key(ofRow: $0) }
        #expect(read == rows.map(\.values), "seed \(seed), page \(number)")
        #expect(keys == rows.map(\.key), "seed \(seed), page \(number)")
        page = next
      }
    }
  }

  @Test("A copied cell is the same cell")
  func copies() {
    var generator = SeededRandom(seed: 7)
    let page = RowPage(columnCount: 1)
    let values = (0..<100).map { _ in ColumnKind(using: &generator).value(using: &generator) }
    for value in values {
      page.setValue(value, row: page.appendRow(key: 1), slot: 0)
    }
    page.seal()
    let copy = RowPage(columnCount: 1, rowCapacity: 1)
    for row in values.indices {
      copy.copyCell(from: page, row: row, to: copy.appendRow(key: 2), slot: 0)
    }
    copy.seal()
    #expect(values.indices.map { copy.value(row: $0, slot: 0) } == values)
  }
}
