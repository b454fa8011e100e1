/// A terminal without a screen, for tests: it keeps what is drawn and delivers what it is fed.
@MainActor
package final class MemoryTerminal: Terminal {
  package private(set) var size: Size
  package let glyphs: GlyphSet
  package let colorDepth: ColorDepth
  package var theme: Theme {
    didSet { if lastBuffer != nil { drawCount += 1 } }
  }
  package var onEvent: (@MainActor (InputEvent) -> Void)?
  package var onInputTaken: (@MainActor () -> Void)?

  /// The buffer drawn last, or nil when nothing was drawn yet.
  package private(set) var lastBuffer: ScreenBuffer?
  /// Where the cursor was shown last; nil when hidden.
  package private(set) var cursor: Position?
  /// Whether the screen is taken.
  package private(set) var isRunning = false
  /// How often something was painted.
  package private(set) var drawCount = 0
  /// How often the application asked to be suspended.
  package private(set) var suspendCount = 0

  /// How often the application asked for the whole screen to be written again.
  package private(set) var redrawCount = 0

  /// Makes a terminal of the given size.
  package init(
    size: Size = Size(columns: 80, rows: 24), theme: Theme = .fallback,
    glyphs: GlyphSet = .unicode, colorDepth: ColorDepth = .indexed256
  ) {
    self.size = size
    self.theme = theme
    self.glyphs = glyphs
    self.colorDepth = colorDepth
  }

  /// What a person would see: the rows of the last buffer, or none.
  package var picture: [String] { lastBuffer?.picture ?? [] }

  /// Takes the screen; never throws.
  package func start() throws { isRunning = true }

  /// Restores the screen.
  package func stop() { isRunning = false }

  /// What was put on the clipboard last.
  package private(set) var clipboard: String?
  package var clipboardHint: String?

  /// What was said to a screen reader, from the beginning.
  package private(set) var spoken: [SpokenText] = []

  /// Keeps it.
  package func say(_ spoken: [SpokenText]) { self.spoken += spoken }

  /// Keeps the text.
  package func copy(_ text: String) { clipboard = text }

  /// Counts, and delivers `suspended` and `resumed` at once.
  package func suspend() {
    suspendCount += 1
    send(.suspended)
    send(.resumed)
  }

  /// Counts.
  package func redraw() { redrawCount += 1 }

  /// What other programs do that are given the screen; none can be found unless it is set.
  package var runProgram: (([String]) -> Int32)?

  /// Asks `runProgram`.
  package func run(_ command: [String]) throws -> Int32 { runProgram?(command) ?? 127 }

  /// Keeps the buffer and the cursor.
  package func draw(_ buffer: ScreenBuffer, cursor: Position?) {
    lastBuffer = buffer
    self.cursor = cursor
    drawCount += 1
  }

  /// Delivers an event to the application, as if it came from outside.
  package func send(_ event: InputEvent) {
    onEvent?(event)
    onInputTaken?()
  }

  /// Presses keys one after another.
  package func press(_ keys: Key...) {
    for key in keys { send(.key(key)) }
  }

  /// Types a text, one key per character; newlines and tabs are the Enter and Tab keys. All come at once,
  /// as those of a paste do.
  package func type(_ text: String) {
    for character in text {
      let key =
        switch character {
        case "\n": Key(.enter)
        case "\t": Key(.tab)
        default: Key(.character(character))
        }
      onEvent?(.key(key))
    }
    onInputTaken?()
  }

  /// Changes the size of the screen and notifies the application.
  package func resize(to size: Size) {
    self.size = size
    send(.resize(size))
  }
}
