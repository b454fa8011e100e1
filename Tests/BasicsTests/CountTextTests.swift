import Basics
import Testing

@Suite("Numbers of things in sentences")
struct CountTextTests {
  @Test("Digits stand in groups of three")
  func grouped() {
    #expect(
      [0, 7, 999, 1_000, 12_345, 1_234_567, -1_000].map(CountText.grouped) == [
        "0", "7", "999", "1,000", "12,345", "1,234,567", "-1,000",
      ])
    #expect(CountText.grouped(.min) == "-9,223,372,036,854,775,808")
  }

  @Test("Several are called in the plural")
  func counted() {
    #expect(CountText.counted(1, "row") == "1 row")
    #expect(CountText.counted(0, "row") == "0 rows")
    #expect(CountText.counted(2_000, "Company") == "2,000 Companies")
    #expect(
      ["day", "index", "branch", "Bus", "unsaved object"].map(CountText.plural) == [
        "days", "indexes", "branches", "Buses", "unsaved objects",
      ])
  }
}
