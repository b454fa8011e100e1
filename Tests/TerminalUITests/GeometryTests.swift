import DatastoreTestSupport
import Testing

@testable import TerminalUI

/// Draws rectangles as boxes, so that a layout is asserted as a picture.
private func picture(_ rectangles: [Rectangle], columns: Int, rows: Int) -> [String] {
  var buffer = ScreenBuffer(size: Size(columns: columns, rows: rows))
  for rectangle in rectangles { buffer.drawOutline(of: rectangle) }
  return buffer.picture
}

struct GeometryTests {
  @Test func splitsIntoStackedAndSideBySideParts() {
    let screen = Rectangle(Size(columns: 24, rows: 9))
    let (main, status) = screen.split(bottom: 2)
    let parts = main.sideBySide([.fixed(8), .share(minimum: 4)])
    #expect(
      picture(parts + [status], columns: 24, rows: 9) == [
        "┌──────┐┌──────────────┐",
        "│      ││              │",
        "│      ││              │",
        "│      ││              │",
        "│      ││              │",
        "│      ││              │",
        "└──────┘└──────────────┘",
        "┌──────────────────────┐",
        "└──────────────────────┘",
      ])
  }

  @Test func outlinesThatShareAnEdgeJoin() {
    let left = Rectangle(column: 0, row: 0, columns: 5, rows: 3)
    let right = Rectangle(column: 4, row: 0, columns: 6, rows: 3)
    let below = Rectangle(column: 0, row: 2, columns: 10, rows: 3)
    #expect(
      picture([left, right, below], columns: 10, rows: 5) == [
        "┌───┬────┐",
        "│   │    │",
        "├───┴────┤",
        "│        │",
        "└────────┘",
      ])
  }

  @Test func sharesFollowWeightsAndBounds() {
    #expect(Track.lengths([.share(weight: 1), .share(weight: 3)], available: 40) == [10, 30])
    #expect(Track.lengths([.share(maximum: 5), .share()], available: 40) == [5, 35])
    #expect(
      Track.lengths([.fixed(10), .share(), .share()], available: 33, spacing: 1)
        == [10, 11, 10])
    #expect(Track.lengths([.fixed(10), .share(minimum: 10)], available: 12) == [10, 2])
    #expect(Track.lengths([], available: 12).isEmpty)
  }

  @Test func splittingNeverLeavesTheRectangle() {
    var random = SeededRandom(seed: RandomCases.seed())
    for _ in 0..<RandomCases.count {
      let area = Rectangle(
        column: .random(in: 0...5, using: &random), row: .random(in: 0...5, using: &random),
        columns: .random(in: 0...30, using: &random), rows: .random(in: 0...20, using: &random))
      let tracks = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Bool.random(using: &random)
          ? Track.fixed(.random(in: 0...12, using: &random))
          : Track.share(
            weight: .random(in: 1...4, using: &random),
            minimum: .random(in: 0...6, using: &random))
      }
      let parts = area.sideBySide(tracks, spacing: 1) + area.stacked(tracks, spacing: 1)
      for part in parts where !part.isEmpty {
        #expect(area.intersection(part) == part, "seed \(random.seed): \(part) in \(area)")
      }
      let middle = area.centred(Size(columns: 10, rows: 4))
      #expect(area.intersection(middle).size == middle.size, "seed \(random.seed)")
    }
  }

  @Test func widestColumnsGiveWayFirst() {
    let demands = [4, 30, 12, 60].map { ColumnLayout.Demand(content: $0) }
    #expect(ColumnLayout.widths(demands, available: 200) == [4, 30, 12, 60])
    #expect(ColumnLayout.widths(demands, available: 59) == [4, 20, 12, 20])
    #expect(ColumnLayout.widths(demands, available: 5) == [3, 3, 3, 3])
    let bounded = [ColumnLayout.Demand(content: 90, minimum: 5, maximum: 20)]
    #expect(ColumnLayout.widths(bounded, available: 80) == [20])
  }

  @Test func tablesScrollSidewaysAroundFrozenColumns() {
    let widths = [5, 10, 10, 10, 10]
    let placed = ColumnLayout.placements(
      widths: widths, available: 31, spacing: 1, first: 2, frozen: 1)
    #expect(placed.map(\.index) == [0, 2, 3, 4])
    #expect(placed.map(\.offset) == [0, 6, 17, 28])
    #expect(placed.map(\.width) == [5, 10, 10, 3])
    let first = ColumnLayout.firstVisible(
      cursor: 4, widths: widths, available: 30, spacing: 1, previous: 1, frozen: 1)
    #expect(first == 3)
    #expect(
      ColumnLayout.firstVisible(
        cursor: 1, widths: widths, available: 30, spacing: 1, previous: 3, frozen: 1) == 1)
    // Columns that the view has left come back if there is room after them, whether the cursor is among them
    // or not.
    for cursor in [0, 4] {
      #expect(
        ColumnLayout.firstVisible(
          cursor: cursor, widths: widths, available: 38, spacing: 1, previous: 4, frozen: 1) == 2)
    }
  }

  @Test func aColumnIsNotCutToWhatSaysNothing() {
    func placed(_ widths: [Int], _ available: Int) -> [Int] {
      ColumnLayout.placements(widths: widths, available: available).map(\.width)
    }
    #expect(placed([10, 10], 13) == [10])
    #expect(placed([10, 10], 14) == [10, 3])
    #expect(placed([10, 2], 13) == [10, 2])
    // The first one is there, however little room there is.
    #expect(placed([10, 10], 2) == [2])
    #expect(placed([10], 0) == [])
  }
}
