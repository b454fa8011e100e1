/// A terminal without a screen, for tests: it keeps the drawn buffers and delivers the events that a test
/// sends.
@MainActor
package final class MemoryTerminal: Terminal {
  package private(set) var size: Size
  package let glyphs: GlyphSet
  package var theme: Theme {
    didSet { if lastBuffer != nil { drawCount += 1 } }
  }
  package var onEvent: (@MainActor (InputEvent) -> Void)?
  package var onInputTaken: (@MainActor () -> Void)?

  /// The last buffer drawn, or nil.
  package private(set) var lastBuffer: ScreenBuffer?
  /// The last position of the cursor; nil if hidden.
  package private(set) var cursor: Position?
  /// Whether the screen is taken.
  package private(set) var isRunning = false
  /// The number of drawings.
  package private(set) var drawCount = 0
  /// The number of calls of `suspend()`.
  package private(set) var suspendCount = 0

  /// The number of calls of `redraw()`.
  package private(set) var redrawCount = 0

  package init(
    size: Size = Size(columns: 80, rows: 24), theme: Theme = .fallback,
    glyphs: GlyphSet = .unicode
  ) {
    self.size = size
    self.theme = theme
    self.glyphs = glyphs
  }

  /// The rows of the last buffer as a person sees them, or none.
  package var picture: [String] { lastBuffer?.picture ?? [] }

  /// Takes the screen; never throws.
  package func start() throws { isRunning = true }

  package func stop() { isRunning = false }

  /// The last text put on the clipboard.
  package private(set) var clipboard: String?
  package var clipboardHint: String?

  /// Everything spoken so far.
  package private(set) var spoken: [SpokenText] = []

  package func say(_ spoken: [SpokenText]) { self.spoken += spoken }

  package func copy(_ text: String) { clipboard = text }

  /// Counts the call, and delivers `suspended` and `resumed` at once.
  package func suspend() {
    suspendCount += 1
    send(.suspended)
    send(.resumed)
  }

  package func redraw() { redrawCount += 1 }

  /// Stands for another program that is given the screen; without it, no program is found.
  package var runProgram: (([String]) -> Int32)?

  /// Asks `runProgram`.
  package func run(_ command: [String]) throws -> Int32 { runProgram?(command) ?? 127 }

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

  /// Types a text, one key per character; newlines and tabs are the Enter and Tab keys. All keys arrive at
  /// once, as in a paste.
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
