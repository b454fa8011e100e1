import Testing

@testable import TerminalUI

@Suite struct PickListTests {
  private func list(_ texts: [String]) -> PickList<Int> {
    PickList(texts.enumerated().map { PickList.Item($0, text: $1, note: "#\($0)") })
  }

  @Test func typingNarrowsAndErasingWidens() {
    var list = list(["Ann Green", "Bob Grey", "Cid Brown"])
    let isNarrowed = list.handle("G")
    #expect(isNarrowed)
    #expect(list.matches.map(\.id) == [0, 1])
    for key in ["r", "e", "y"] as [Key] { _ = list.handle(key) }
    #expect(list.matches.map(\.id) == [1])
    #expect(list.current?.text == "Bob Grey")
    let isMoved = list.handle("left")
    #expect(!isMoved)
    _ = list.handle("ctrl-u")
    _ = list.handle("ctrl-k")
    #expect(list.matches.count == 3)
  }

  @Test func everyWordHasToMatch() {
    var list = list(["Ann Green", "Green Bob", "Bob Grey"])
    for key in ["b", "o", "b", "space", "g", "r", "e", "e"] as [Key] { _ = list.handle(key) }
    #expect(list.matches.map(\.id) == [1])
  }

  @Test func itemsOfTheOwnerAreNotFilteredAgain() {
    var list = PickList<Int>(isSearchedByOwner: true)
    _ = list.handle("x")
    list.setItems([PickList.Item(7, text: "Ann")])
    #expect(list.current?.id == 7)
    list.setItems([PickList.Item(6, text: "Abe"), PickList.Item(7, text: "Ann")])
    #expect(list.current?.id == 7)
  }

  @Test func theCursorIsMarkedWithoutColour() {
    var list = list(["Ann", "Bob", "Cid"])
    list.move(by: 1, height: 2)
    var buffer = ScreenBuffer(size: Size(columns: 16, rows: 3), glyphs: .ascii)
    let cursor = list.draw(into: &buffer, in: Rectangle(buffer.size))
    #expect(buffer.picture == ["/ type to search", "  Ann         #0", "> Bob         #1"])
    #expect(cursor == Position(column: 2, row: 0))
  }
}
