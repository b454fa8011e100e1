import DatastoreTestSupport
import Testing

@testable import TerminalUI

struct WidgetTests {
  @Test func boxesShowTitleNoteAndFocus() {
    func drawn(focused: Bool, _ glyphs: GlyphSet = .unicode) -> [String] {
      var buffer = ScreenBuffer(size: Size(columns: 20, rows: 3), glyphs: glyphs)
      let box = Box(title: "Employee", note: "42 rows", isFocused: focused)
      let inside = box.draw(into: &buffer, in: buffer.bounds)
      #expect(inside == Rectangle(column: 1, row: 1, columns: 18, rows: 1))
      return buffer.picture
    }
    #expect(
      drawn(focused: false) == [
        "┌─ Employee ───────┐", "│                  │", "└──────── 42 rows ─┘",
      ])
    #expect(
      drawn(focused: true) == [
        "┏━ Employee ━━━━━━━┓", "┃                  ┃", "┗━━━━━━━━ 42 rows ━┛",
      ])
    #expect(drawn(focused: true, .ascii)[0] == "#= Employee =======#")
  }

  @Test func longTitlesAreCutInsideTheCorners() {
    var buffer = ScreenBuffer(size: Size(columns: 12, rows: 2))
    Box(title: "A very long title").draw(into: &buffer, in: buffer.bounds)
    #expect(buffer.picture == ["┌─ A ver… ─┐", "└──────────┘"])
  }

  @Test func footersDrawTheHintsThatFit() {
    let footer = Footer([
      .init(key: "enter", label: "Open"), .init(key: "ctrl-s", label: "Save all changes"),
      .init(key: "q", label: "Quit"),
    ])
    var buffer = ScreenBuffer(size: Size(columns: 24, rows: 1))
    #expect(footer.draw(into: &buffer, in: buffer.bounds) == 2)
    #expect(buffer.picture == ["enter Open  q Quit"])
    #expect(
      buffer.styleRuns(ofRow: 0).filter { $0.role == .key }.map(\.text) == ["enter", "q"])
  }

  @Test func modalsWrapTheirMessage() {
    var buffer = ScreenBuffer(size: Size(columns: 40, rows: 9))
    buffer.fill(buffer.bounds, with: "x")
    let modal = Modal(
      title: "Quit?", message: "There are 3 unsaved changes.\nThey would be lost.",
      hints: [.init(key: "y", label: "Quit"), .init(key: "n", label: "Stay")])
    let covered = modal.draw(into: &buffer, in: buffer.bounds, maximum: 26)
    #expect(covered == Rectangle(column: 8, row: 1, columns: 23, rows: 7))
    #expect(
      buffer.picture.map { String($0.dropFirst(7).dropLast(7)) } == [
        "xxxxxxxxxxxxxxxxxxxxxxxxxx",
        "x┏━ Quit? ━━━━━━━━━━━━━┓xx",
        "x┃ There are 3 unsaved ┃xx",
        "x┃ changes.            ┃xx",
        "x┃ They would be lost. ┃xx",
        "x┃                     ┃xx",
        "x┃ y Quit  n Stay      ┃xx",
        "x┗━━━━━━━━━━━━━━━━━━━━━┛xx",
        "xxxxxxxxxxxxxxxxxxxxxxxxxx",
      ])
  }

  @Test func keysOfModalsStandOneBelowTheOtherWithoutRoomInOneRow() {
    let modal = Modal(
      title: "Quit?", message: "Unsaved changes.",
      hints: [
        .init(key: "s", label: "save and leave"), .init(key: "k", label: "keep for next time"),
        .init(key: "d", label: "discard and leave"),
      ])
    for size in [
      Size(columns: 40, rows: 10), Size(columns: 24, rows: 8), Size(columns: 16, rows: 4),
    ] {
      var buffer = ScreenBuffer(size: size)
      modal.draw(into: &buffer, in: buffer.bounds)
      let rows = ["s save and", "k keep for", "d discard and"].map { key in
        buffer.picture.firstIndex { $0.contains(key) }
      }
      #expect(!rows.contains(nil), "\(buffer.picture)")
      for (hint, row) in rows.enumerated() {
        let places = (0..<size.columns).compactMap {
          modal.hint(at: Position(column: $0, row: row ?? 0), in: buffer.bounds)
        }
        #expect(Set(places) == [hint])
      }
    }
  }

  @Test func wrappingBreaksLongWordsAndCountsCells() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("abcdefghij k".wrapped(to: 4) == ["abcd", "efgh", "ij k"])
    #expect("日本語日本".wrapped(to: 5) == ["日本", "語日", "本"])
    #expect("a\n\nb".wrapped(to: 5) == ["a", "", "b"])
    #expect("".wrapped(to: 5) == [""])
    #expect("abc".wrapped(to: 0).isEmpty)
  }

  @Test(
    arguments: [
      (0, "░░░░░░░░░░   0%"), (0.5, "█████░░░░░  50%"), (0.999, "█████████░  99%"),
      (1, "██████████ 100%"), (7, "██████████ 100%"), (nil, "░░░░░░░░░░    ?"),
    ] as [(Double?, String)])
  func progressIsFullOnlyWhenDone(_ fraction: Double?, _ expected: String) {
    var buffer = ScreenBuffer(size: Size(columns: 15, rows: 1))
    ProgressBar(fraction: fraction).draw(into: &buffer, at: .origin, width: 15)
    #expect(buffer.picture == [expected])
  }

  @Test func thumbsTouchTheEndsOnlyWithTheList() {
    func thumb(_ visible: Range<Int>) -> Range<Int>? {
      Scrollbar(count: 1000, visible: visible).thumb(height: 10)
    }
    #expect(thumb(0..<10) == 0..<1)
    #expect(thumb(1..<11) == 1..<2)
    #expect(thumb(989..<999) == 8..<9)
    #expect(thumb(990..<1000) == 9..<10)
    #expect(Scrollbar(count: 10, visible: 0..<10).thumb(height: 10) == nil)
    #expect(Scrollbar(count: 20, visible: 5..<15).thumb(height: 10) == 3..<8)
    var buffer = ScreenBuffer(size: Size(columns: 3, rows: 4))
    Scrollbar(count: 8, visible: 0..<4).draw(into: &buffer, in: buffer.bounds)
    #expect(buffer.picture == ["  █", "  █", "  │", "  │"])
  }
}
