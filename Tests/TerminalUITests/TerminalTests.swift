import Testing

@testable import TerminalUI

@MainActor
struct TerminalTests {
  @Test func memoryTerminalsKeepWhatIsDrawnAndDeliverEvents() throws {
    let terminal = MemoryTerminal(size: Size(columns: 5, rows: 1))
    var events: [InputEvent] = []
    terminal.onEvent = { events.append($0) }
    try terminal.start()
    #expect(terminal.isRunning)
    var buffer = ScreenBuffer(size: terminal.size)
    buffer.draw("hello", at: .origin)
    terminal.draw(buffer, cursor: .origin)
    #expect(terminal.picture == ["hello"])
    #expect(terminal.cursor == .origin)
    terminal.type("a\n")
    terminal.press("ctrl-s")
    terminal.resize(to: Size(columns: 9, rows: 2))
    terminal.suspend()
    terminal.stop()
    #expect(!terminal.isRunning)
    #expect(
      events == [
        .key("a"), .key("enter"), .key("ctrl-s"), .resize(Size(columns: 9, rows: 2)),
        .suspended, .resumed,
      ])
  }

  @Test func errorsAreSentences() {
    let errors: [TerminalError] = [
      .notATerminal(stream: "standard output"), .unknownType("foo"), .unknownType(""),
      .noCursorAddressing("dumb"),
    ]
    #expect(
      errors[0].description
        == "The standard output is not a terminal, so there is no screen to draw on. Run the "
        + "program in a terminal, without redirection.")
    #expect(errors[1].description.contains("\"foo\""))
    #expect(errors[2].description.contains("TERM is not set"))
    #expect(errors[3].description.contains("\"dumb\""))
  }

  /// The variables of an environment, the locale that decides, and whether it shows Unicode by its name.
  @Test(
    arguments: [
      ([:], nil, true), (["LANG": "C"], nil, true),
      (["LC_ALL": "POSIX", "LANG": "de_DE"], nil, true),
      (["LANG": "xx_XX.UTF-8"], "xx_XX.UTF-8", true), (["LANG": "de_DE.utf8"], "de_DE.utf8", true),
      (["LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"], "en_US.UTF-8", true),
      (["LC_ALL": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"], "de_DE.ISO-8859-1", false),
    ] as [([String: String], String?, Bool)])
  func localesAreKnownByTheirNames(
    _ environment: [String: String], name: String?, isUnicode: Bool
  ) {
    let locale = LocaleName(environment: environment)
    #expect(locale.name == name)
    #expect(locale.isUnicode == isUnicode)
  }
}
