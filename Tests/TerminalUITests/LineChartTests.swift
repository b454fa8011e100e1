import Testing

@testable import TerminalUI

@Suite struct LineChartTests {
  @Test func aLineRisesFromTheLowestToTheHighestDot() {
    let rows = LineChart.rows([0, 3], columns: 4, rows: 4, glyphs: .ascii)
    #expect(rows == ["   *", "  * ", " *  ", "*   "])
  }

  @Test func gapsAreGapsAndNothingIsNothing() {
    #expect(LineChart.rows([nil, nil], columns: 3, rows: 1, glyphs: .ascii) == ["   "])
    #expect(LineChart.rows([1, nil, 1], columns: 3, rows: 1, glyphs: .ascii) == ["* *"])
    #expect(LineChart.rows([1], columns: 0, rows: 0, glyphs: .unicode) == [])
    #expect(LineChart.rows([5], columns: 1, rows: 1, glyphs: .unicode) == ["⠁"])
  }

  @Test func zeroIsAmongTheNumbers() {
    #expect(LineChart.range(of: [3, 5, nil]) == 0...5)
    #expect(LineChart.range(of: [-3, -5]) == -5...0)
    #expect(LineChart.range(of: [nil]) == nil)
    #expect(LineChart.range(of: [.infinity, 2]) == 0...2)
  }
}
