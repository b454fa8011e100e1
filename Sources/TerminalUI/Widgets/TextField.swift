/// One line of editable text: the state, and the keys that change it.
///
/// The cursor is between characters as people count them, so one press of Backspace removes
/// a letter with its accents or a whole flag.
package struct TextField: Hashable, Sendable {
  package private(set) var text: String
  /// The number of characters left of the cursor.
  package private(set) var cursor: Int
  /// The first visible column of the text, kept from one drawing to the next.
  var scroll = 0
  /// Whether the whole text is selected, so that typed or pasted text replaces it. Moving the cursor ends the
  /// selection.
  package private(set) var isAllSelected = false

  /// Starts with a text and the cursor after it.
  ///
  /// - Parameter isAllSelected: whether typing replaces the text, for a text that is only a suggestion.
  package init(text: String = "", isAllSelected: Bool = false) {
    self.text = text
    self.isAllSelected = isAllSelected && !text.isEmpty
    cursor = text.count
  }

  package var beforeCursor: Substring { text.prefix(cursor) }
  package var afterCursor: Substring { text.dropFirst(cursor) }

  /// Replaces the text and puts the cursor after it, or at `cursor` when given.
  package mutating func setText(_ text: String, cursor: Int? = nil) {
    isAllSelected = false
    self.text = text
    let count = text.count
    self.cursor = min(max(0, cursor ?? count), count)
  }

  /// Inserts a text at the cursor, newlines included; drawing shows them as marks.
  package mutating func insert(_ inserted: some StringProtocol) {
    if isAllSelected { setText("") }
    replace(before: beforeCursor + inserted, after: String(afterCursor))
  }

  /// Handles an editing key. Returns false if the key does not edit, so that the caller may give it another
  /// meaning.
  ///
  /// `ctrl-a`/`home` and `ctrl-e`/`end` move to the ends, `ctrl-u` and `ctrl-k` remove everything before and
  /// after the cursor, `ctrl-w` removes the word before it, `ctrl-left`, `ctrl-right`, `alt-b` and `alt-f`
  /// move by words.
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
    // Inserted text may combine with its neighbours into one character; the cursor is then after that
    // character.
    text = head + after
    cursor = min(head.count, text.count)
  }

  /// The start of the word before the cursor.
  private var wordStart: Int {
    let spaces = beforeCursor.reversed().prefix { $0.isWhitespace }.count
    let letters = beforeCursor.dropLast(spaces).reversed().prefix { !$0.isWhitespace }.count
    return cursor - spaces - letters
  }

  /// The end of the word after the cursor.
  private var wordEnd: Int {
    let spaces = afterCursor.prefix { $0.isWhitespace }.count
    let letters = afterCursor.dropFirst(spaces).prefix { !$0.isWhitespace }.count
    return cursor + spaces + letters
  }
}
