import DatastoreTestSupport
import Testing

@testable import TerminalUI

struct TextFieldTests {
  /// The text with `|` at the cursor after pressing keys.
  private func edited(_ text: String, _ keys: Key...) -> String {
    var field = TextField(text: text)
    for key in keys {
      let isTaken = field.handle(key)
      #expect(isTaken, "\(key) was not taken")
    }
    return field.beforeCursor + "|" + field.afterCursor
  }

  @Test func keysEdit() {
    #expect(edited("", "a", "ä", "space") == "aä |")
    #expect(edited("abc", "left", "x") == "abx|c")
    #expect(edited("abc", "home", "delete") == "|bc")
    #expect(edited("abc", "ctrl-a", "right", "backspace") == "|bc")
    #expect(edited("abc", "left", "left", "ctrl-k") == "a|")
    #expect(edited("abc", "left", "ctrl-u") == "|c")
    #expect(edited("abc", "home", "ctrl-e", "ctrl-h") == "ab|")
    #expect(edited("one two  ", "ctrl-w") == "one |")
    #expect(edited("one two", "ctrl-w", "ctrl-w", "ctrl-w") == "|")
    #expect(edited("one two", "alt-b", "alt-b", "alt-f") == "one| two")
    #expect(edited("", "backspace", "delete", "left", "right", "ctrl-w") == "|")
  }

  @Test func wholeCharactersAreRemoved() {
    #expect(edited("xe\u{301}", "backspace") == "x|")
    #expect(edited("x👨‍👩‍👧", "backspace") == "x|")
    #expect(edited("🇩🇪🇫🇷", "backspace") == "🇩🇪|")
    var field = TextField(text: "e")
    field.insert("\u{301}")
    #expect(field.text == "e\u{301}")
    #expect(field.cursor == 1)
  }

  @Test func otherKeysAreLeftToTheCaller() {
    var field = TextField(text: "abc")
    for key in ["enter", "esc", "tab", "up", "ctrl-c", "f1", "alt-x"] as [Key] {
      let isTaken = field.handle(key)
      #expect(!isTaken, "\(key)")
    }
    #expect(field.text == "abc")
  }

  @Test func randomKeysNeverLoseTheCursor() {
    var random = SeededRandom(seed: RandomCases.seed())
    let keys: [Key] = [
      "a", "space", "日", "left", "right", "home", "end", "backspace", "delete", "ctrl-w", "ctrl-k",
      "ctrl-left", "ctrl-right",
    ]
    var field = TextField()
    var buffer = ScreenBuffer(size: Size(columns: 7, rows: 1))
    for _ in 0..<RandomCases.count {
      let key = keys[Int.random(in: 0..<keys.count, using: &random)]
      _ = field.handle(key)
      #expect((0...field.text.count).contains(field.cursor), "seed \(random.seed)")
      let cursor = field.draw(into: &buffer, at: .origin, width: 7)
      #expect(cursor.map { (0..<7).contains($0.column) } == true, "seed \(random.seed)")
    }
  }

  @Test func scrollsSidewaysToKeepTheCursorVisible() {
    var field = TextField(text: "0123456789")
    var buffer = ScreenBuffer(size: Size(columns: 6, rows: 1))
    #expect(field.draw(into: &buffer, at: .origin, width: 6)?.column == 5)
    #expect(buffer.picture == ["56789"])
    for _ in 0..<7 { _ = field.handle("left") }
    #expect(field.draw(into: &buffer, at: .origin, width: 6)?.column == 0)
    #expect(buffer.picture == ["345678"])
    field.setText("日本語日本")
    #expect(field.draw(into: &buffer, at: .origin, width: 6)?.column == 5)
    #expect(buffer.picture == [" 日本"])
  }

  @Test func emptyFieldsShowWhatTheyAskFor() {
    var field = TextField()
    var buffer = ScreenBuffer(size: Size(columns: 8, rows: 1))
    let cursor = field.draw(into: &buffer, at: .origin, width: 8, placeholder: "filter")
    #expect(cursor == .origin)
    #expect(buffer.picture == ["filter"])
    #expect(Set(buffer.roles(ofRow: 0)) == [.placeholder])
    field.insert("a\nb")
    _ = field.draw(into: &buffer, at: .origin, width: 8)
    #expect(buffer.picture == ["a␊b"])
  }
}
