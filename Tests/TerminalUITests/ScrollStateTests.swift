import DatastoreTestSupport
import Testing

@testable import TerminalUI

struct ScrollStateTests {
  @Test func scrollsAsLittleAsNeeded() {
    func first(_ cursor: Int, _ previous: Int) -> Int {
      ScrollState.firstVisible(cursor: cursor, count: 100, height: 10, previous: previous)
    }
    #expect(first(5, 0) == 0)
    #expect(first(10, 0) == 1)
    #expect(first(3, 8) == 3)
    #expect(first(99, 0) == 90)
    #expect(first(50, 95) == 50)
    #expect(ScrollState.firstVisible(cursor: 4, count: 5, height: 10, previous: 3) == 0)
    #expect(ScrollState.firstVisible(cursor: 0, count: 0, height: 10, previous: 3) == 0)
  }

  @Test func theCursorIsVisibleAndNoLineIsWasted() {
    var random = SeededRandom(seed: RandomCases.seed())
    var state = ScrollState()
    for _ in 0..<RandomCases.count {
      let count = Int.random(in: 0...60, using: &random)
      let height = Int.random(in: 0...12, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: state.move(to: .random(in: -5...70, using: &random), count: count, height: height)
      case 1: state.move(by: .random(in: -80...80, using: &random), count: count, height: height)
      case 2: state.scroll(by: .random(in: -80...80, using: &random), count: count, height: height)
      default: state.settle(count: count, height: height)
      }
      let visible = state.visible(count: count, height: height)
      let context = "seed \(random.seed): \(state), \(count) rows, height \(height)"
      #expect(count == 0 || (0..<count).contains(state.cursor), "\(context)")
      #expect(visible.count == min(count, height), "\(context)")
      if height > 0, count > 0 { #expect(visible.contains(state.cursor), "\(context)") }
    }
  }

  @Test func endlessStepsStopAtTheEnds() {
    var state = ScrollState()
    state.move(by: .max, count: 20, height: 5)
    state.move(by: .max, count: 20, height: 5)
    #expect(state.cursor == 19 && state.first == 15)
    state.move(by: .min, count: 20, height: 5)
    #expect(state.cursor == 0 && state.first == 0)
  }

  @Test func theWheelTakesTheCursorOnlyWhereItMust() {
    var state = ScrollState(cursor: 5)
    state.scroll(by: 3, count: 100, height: 10)
    #expect(state.cursor == 5 && state.first == 3)
    state.scroll(by: 3, count: 100, height: 10)
    #expect(state.cursor == 6 && state.first == 6)
    state.scroll(by: -6, count: 100, height: 10)
    #expect(state.cursor == 6 && state.first == 0)
  }
}
