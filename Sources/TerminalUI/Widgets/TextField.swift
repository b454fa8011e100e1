/// One line of text being edited: the state, and the keys that change it.
///
/// The cursor is between characters as people count them, so one press of Backspace removes
/// a letter with its accents or a whole flag.
package struct TextField: Hashable, Sendable {
  /// The text.
  package private(set) var text: String
  /// Characters left of the cursor.
  package private(set) var cursor: Int
  /// First visible column of the text, kept from one drawing to the next.
  package internal(set) var scroll = 0
  /// Whether the whole text is selected: what is typed or pasted first takes its place. Moving the cursor
  /// ends that.
  package private(set) var isAllSelected = false

  /// Starts with a text and the cursor after it.
  ///
  /// - Parameter isAllSelected: whether typing replaces the text: for one that is only offered.
  package init(text: String = "", isAllSelected: Bool = false) {
    self.text = text
    self.isAllSelected = isAllSelected && !text.isEmpty
    cursor = text.count
  }

  /// The text left of the cursor.
  package var beforeCursor: Substring { text.prefix(cursor) }
  /// The text right of the cursor.
  package var afterCursor: Substring { text.dropFirst(cursor) }

  /// Replaces the text and puts the cursor after it, or at `cursor` when given.
  package mutating func setText(_ text: String, cursor: Int? = nil) {
    isAllSelected = false
    self.text = text
    let count = text.count
    self.cursor = min(max(0, cursor ?? count), count)
  }

  /// Inserts a text at the cursor, newlines and all; drawing shows them as marks.
  package mutating func insert(_ inserted: some StringProtocol) {
    if isAllSelected { setText("") }
    replace(before: beforeCursor + inserted, after: String(afterCursor))
  }

  /// Applies an editing key. Returns false when the key does not edit, so that the caller may
  /// give it another meaning.
  ///
  /// `ctrl-a`/`home` and `ctrl-e`/`end` go to the ends, `ctrl-u` and `ctrl-k` remove all before
  /// and after the cursor, `ctrl-w` removes the word before it, `ctrl-left`, `ctrl-right`,
  /// `alt-b` and `alt-f` go by words.
  package mutating func handle(_ key: Key) -> Bool {
    if let character = key.typed {
      insert(String(character))
      return true
    }
    if isAllSelected, ["backspace", "ctrl-h", "delete", "ctrl-d"].contains(key) {
      setText("")
      return true
    }
    let wasAllSelected = isAllSelected
    isAllSelected = false
    switch key {
    case "left", "ctrl-b": cursor = max(0, cursor - 1)
    case "right", "ctrl-f": cursor = min(text.count, cursor + 1)
    case "home", "ctrl-a": cursor = 0
    case "end", "ctrl-e": cursor = text.count
    case "ctrl-left", "alt-b": cursor = wordStart
    case "ctrl-right", "alt-f": cursor = wordEnd
    case "backspace", "ctrl-h":
      replace(before: beforeCursor.dropLast(), after: String(afterCursor))
    case "delete", "ctrl-d":
      replace(before: beforeCursor, after: String(afterCursor.dropFirst()))
    case "ctrl-u": replace(before: "", after: String(afterCursor))
    case "ctrl-k": replace(before: beforeCursor, after: "")
    case "ctrl-w", "alt-backspace":
      replace(before: text.prefix(wordStart), after: String(afterCursor))
    default:
      isAllSelected = wasAllSelected
      return false
    }
    return true
  }

  /// Whether a key edits a text.
  package static func takes(_ key: Key) -> Bool {
    var field = TextField()
    return field.handle(key)
  }

  private mutating func replace(before: some StringProtocol, after: String) {
    let head = String(before)
    // What is inserted may melt with its neighbours into one character; the cursor is then
    // behind that character.
    text = head + after
    cursor = min(head.count, text.count)
  }

  /// Where the word before the cursor begins.
  private var wordStart: Int {
    let spaces = beforeCursor.reversed().prefix { $0.isWhitespace }.count
    let letters = beforeCursor.dropLast(spaces).reversed().prefix { !$0.isWhitespace }.count
    return cursor - spaces - letters
  }

  /// Where the word after the cursor ends.
  private var wordEnd: Int {
    let spaces = afterCursor.prefix { $0.isWhitespace }.count
    let letters = afterCursor.dropFirst(spaces).prefix { !$0.isWhitespace }.count
    return cursor + spaces + letters
  }
}
