/// The control sequences of a terminal, from terminfo; empty texts and nil for missing capabilities.
struct TerminalStrings {
  /// Moves the cursor to a cell, both counted from 0.
  var move: (_ column: Int, _ row: Int) -> String
  /// Whether `move` is `ESC [ row ; column H`, counted from 1, as on nearly all terminals: building that
  /// sequence directly is many times faster.
  var hasANSIMove = false
  /// Whether `ESC [ n C` moves n cells to the right.
  var hasANSIForward = false
  /// Whether a line feed moves down in the same column, a carriage return to the first column, a backspace
  /// one to the left, and `ESC [ n D` n to the left.
  var hasLineFeed = false
  /// Sets the colour of the text, or of the background, by its number.
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
  /// Blanks some cells from the cursor on; the cursor stays.
  var eraseCells: ((Int) -> String)?
  /// Blanks the rest of the line.
  var eraseToEnd: String?
  /// Whether erased cells get the current background, and not the terminal's own.
  var erasesWithBackground = false
  /// Scrolling of a part of the lines; nil if the terminal cannot do that.
  var scrolling: Scrolling?
  /// Whether a character in the last cell of the screen makes it scroll.
  var scrollsAtEnd = false

  /// Scrolls a part of the screen.
  struct Scrolling {
    /// Confines scrolling to lines, counted from 0, the last one included; the cursor may go anywhere.
    var region: (_ first: Int, _ last: Int) -> String
    /// Moves the lines up by one, when the cursor is on the last line.
    var up: String
    /// Moves the lines down by one, when the cursor is on the first line.
    var down: String
  }
}
