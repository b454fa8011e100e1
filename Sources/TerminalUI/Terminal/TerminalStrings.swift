/// The control sequences of a terminal, from terminfo; empty texts and nil for what it cannot do.
struct TerminalStrings {
  /// Puts the cursor on a cell, both counted from 0.
  var move: (_ column: Int, _ row: Int) -> String
  /// Whether `move` is `ESC [ row ; column H`, counted from 1, as on nearly all terminals: writing that
  /// ourselves is many times faster.
  var hasANSIMove = false
  /// Whether `ESC [ n C` goes so many cells to the right.
  var hasANSIForward = false
  /// Whether a line feed goes down in the same column, a carriage return to the first one, a backspace one to
  /// the left, and `ESC [ n D` so many.
  var hasLineFeed = false
  /// Chooses the colour of the text, or of what is after it, by its number.
  var foreground: (Int) -> String = { _ in "" }
  var background: (Int) -> String = { _ in "" }
  /// Back to the terminal's default colours.
  var defaultColors = ""
  /// Ends all emphasis and, on most terminals, both colours.
  var plain = ""
  /// Begins an emphasis.
  var bold = ""
  var dim = ""
  var underline = ""
  var reverse = ""
  /// Ends underlining and nothing else.
  var endUnderline: String?
  /// Blanks some cells from the cursor on, which stays.
  var eraseCells: ((Int) -> String)?
  /// Blanks the rest of the line.
  var eraseToEnd: String?
  /// Whether what is erased takes the present background, and not the terminal's own.
  var erasesWithBackground = false
  /// How lines are moved; nil where the terminal cannot do that for some of them only.
  var scrolling: Scrolling?
  /// Whether a character in the last cell of the screen makes it scroll.
  var scrollsAtEnd = false

  /// Moves lines of a part of the screen.
  struct Scrolling {
    /// Confines scrolling to lines, counted from 0, the last one included; the cursor may go anywhere.
    var region: (_ first: Int, _ last: Int) -> String
    /// Moves everything up by a line, when the cursor is on the last one.
    var up: String
    /// Moves everything down by a line, when the cursor is on the first one.
    var down: String
  }
}
