import Foundation
import Testing

@testable import TerminalUI

/// The request that puts a text on the clipboard, byte by byte.
@Suite struct ClipboardTests {
  private func text(_ sequence: ClipboardSequence) -> String {
    String(decoding: sequence.bytes, as: UTF8.self)
  }

  @Test func textIsSentAsBase64() {
    #expect(
      text(ClipboardSequence("a\u{1B}]0;x\u{07}é", isInsideTmux: false))
        == "\u{1B}]52;c;YRtdMDt4B8Op\u{07}")
    #expect(text(ClipboardSequence("", isInsideTmux: false)) == "\u{1B}]52;c;\u{07}")
  }

  @Test func tmuxAndTheTerminalAroundItAreAsked() {
    #expect(
      text(ClipboardSequence("a", isInsideTmux: true))
        == "\u{1B}]52;c;YQ==\u{07}\u{1B}Ptmux;\u{1B}\u{1B}]52;c;YQ==\u{07}\u{1B}\\")
  }

  @Test func theLargestTextFitsWhatTerminalsRead() {
    let most = String(repeating: "x", count: ClipboardSequence.mostBytes)
    #expect(ClipboardSequence(most, isInsideTmux: false).bytes.count < 100_000)
  }
}
