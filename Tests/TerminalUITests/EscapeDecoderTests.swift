import Testing

@testable import TerminalUI

/// Keys among the bytes of a terminal that curses does not read.
@Suite struct EscapeDecoderTests {
  private func units(_ text: String) -> [InputDecoder.Unit] {
    var decoder = EscapeDecoder()
    return text.utf8.flatMap { decoder.feed($0) } + decoder.endBurst()
  }

  @Test(arguments: [
    ("\u{1B}[A", "up"), ("\u{1B}OB", "down"), ("\u{1B}[5~", "pgup"), ("\u{1B}[Z", "shift-tab"),
    ("\u{1B}[1;2C", "shift-right"), ("\u{1B}[1;5D", "ctrl-left"), ("\u{1B}OP", "f1"),
    ("\u{1B}[15~", "f5"), ("\u{1B}[H", "home"), ("\u{1B}[3~", "delete"),
  ])
  func sequencesAreKeys(_ bytes: String, _ key: String) {
    #expect(units(bytes) == [.key(Key(stringLiteral: key))])
  }

  @Test func otherBytesStayAsTheyAre() {
    #expect(units("a\u{1B}") == [.byte(0x61), .byte(0x1B)])
    #expect(units("\u{1B}x") == [.byte(0x1B), .byte(0x78)])
    #expect(units("\u{1B}[200~b\u{1B}[201~") == [.pasteStart, .byte(0x62), .pasteEnd])
  }
}
