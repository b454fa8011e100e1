import DatastoreCore
import SwiftDatastore
import TerminalUI
import Testing

@testable import DatastoreBrowser

/// Lists of values to pick from: the cases of enums, and the values that occur.
@MainActor
@Suite struct ValueListTests {
  /// A native store with an enum of numbers and two shirts.
  private func shirts() throws -> TemporaryFile {
    let file = try TemporaryFile("SELECT 1", name: "shirts.sqlite")
    let cases = [("small", 1), ("medium", 2), ("large", 10)].map {
      EnumCase(name: $0.0, value: .integer($0.1))
    }
    let schema = try Schema([
      EntityDescription(
        name: "Shirt",
        properties: [
          .attribute(AttributeDescription(name: "size", type: .integer16, cases: cases)),
          .attribute(AttributeDescription(name: "maker", type: .string)),
        ])
    ])
    try SwiftDatastore(schema: schema, url: file.url).close()
    try file.execute("INSERT INTO Shirt (_id, size, maker) VALUES (1, 2, 'A'), (2, 7, 'B')")
    return file
  }

  @Test func casesAreShownByNameAndNothingElseIsOffered() async throws {
    let file = try shirts()
    let driver = try await BrowserDriver(file)
    driver.expect(
      driver.table,
      """
        size    maker
      > medium  A
        7       B
      """)
    while driver.browser.state.table?.currentColumn?.name != "size" { await driver.press("right") }
    await driver.press("e")
    let picker = try #require(driver.browser.state.overlay(as: ValuePicker.self))
    #expect(picker.value == 2)
    #expect(picker.list.current?.note == "medium, now")
    await driver.type("large")
    await driver.press("ctrl-u")
    await driver.type("10")
    await driver.press("enter", "ctrl-s")
    #expect(try file.values("SELECT size FROM Shirt WHERE _id = 1") == ["10"])
    #expect(driver.table[1].contains("large"))
    // A number that is not a case stays until another one is picked.
    await driver.press("down", "e")
    #expect(driver.browser.state.overlay(as: ValuePicker.self)?.value == 7)
    await driver.press("esc")
  }

  @Test func casesAreFoundByNameAndShownInTheFormOfTheFilter() async throws {
    let driver = try await BrowserDriver(try shirts())
    while driver.browser.state.table?.currentColumn?.name != "size" { await driver.press("right") }
    await driver.press("end", "/")
    await driver.type("med")
    #expect(driver.browser.state.table?.currentKey == 1)
    await driver.press("esc", "home", "/")
    // A value that is not a case is found by its number.
    await driver.type("7")
    #expect(driver.browser.state.table?.currentKey == 2)
    await driver.press("esc", "/", "tab", "tab")
    await driver.type("2")
    #expect(driver.picture[23].contains("“2” is not in this column"))
    await driver.press("esc", "home", "f", "W")
    driver.expectShown("size == medium")
    func form() -> FilterForm? { driver.browser.state.overlay(as: FilterState.self)?.form }
    func text() -> String? { driver.browser.state.overlay(as: FilterState.self)?.text }
    // The list has all cases, and the stored values besides.
    await driver.press("right", "right", "enter")
    #expect(form()?.editor?.field.text == "medium")
    #expect(form()?.editor?.menu.items.map(\.text) == ["small", "large"])
    await driver.press("ctrl-u")
    #expect(form()?.editor?.menu.items.map(\.text) == ["small", "medium", "large", "7"])
    await driver.type("larg")
    await driver.press("enter")
    #expect(form()?.notice?.contains("neither a number nor one of small, medium, large") == true)
    await driver.press("tab", "enter")
    #expect(text() == "size == 10")
    driver.expectShown("size == large")
    await driver.press("enter", "ctrl-u")
    await driver.type("7")
    await driver.press("enter", "w")
    #expect(driver.status.contains("1 row"))
    #expect(driver.browser.state.table?.currentKey == 2)
  }

  @Test func valuesThatOccurAreListedWithTheirCounts() async throws {
    let file = try TemporaryFile.company()
    let driver = try await BrowserDriver(file) { _ in BrowserOptions(entity: "Employee") }
    await driver.press("right", "right", "e")
    #expect(driver.status.contains("ctrl-o lists 3 values"))
    await driver.press("ctrl-o")
    let picker = try #require(driver.browser.state.overlay(as: ValuePicker.self))
    #expect(picker.list.current?.note == "2 rows, now")
    await driver.type("test")
    await driver.press("enter", "ctrl-s")
    #expect(try file.value("position", from: "Employee", id: 1) == "'tester'")
  }

  @Test func whereThereIsNothingToChooseTheReasonIsSaid() async throws {
    let driver = try await BrowserDriver(.large(100)) { _ in BrowserOptions(entity: "Big") }
    await driver.press("right", "e")
    #expect(!driver.status.contains("ctrl-o lists"))
    await driver.press("ctrl-o")
    #expect(driver.status.contains("too many different values"))
    await driver.press("esc", "right", "e", "ctrl-o")
    #expect(
      driver.browser.state.overlay(as: ValuePicker.self)?.list.current?.note == "34 rows, now")
  }
}
