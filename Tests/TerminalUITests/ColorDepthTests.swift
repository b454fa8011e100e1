import Testing

@testable import TerminalUI

struct ColorDepthTests {
  @Test func isDetectedFromEnvironmentAndTerminfo() {
    func depth(_ environment: [String: String], _ colors: Int, direct: Bool = false) -> ColorDepth {
      .detect(environment: environment, terminfoColors: colors, isDirect: direct)
    }
    #expect(depth(["TERM": "xterm-256color"], 256) == .indexed256)
    #expect(depth(["TERM": "xterm-256color", "NO_COLOR": "1"], 256) == .none)
    #expect(depth(["TERM": "xterm-256color", "NO_COLOR": ""], 256) == .indexed256)
    #expect(depth(["TERM": "vt100"], -1) == .none)
    #expect(depth(["TERM": "dumb"], 8) == .none)
    #expect(depth([:], 256) == .none)
    #expect(depth(["TERM": "linux"], 8) == .colors8)
    #expect(depth(["TERM": "xterm-16color"], 16) == .colors16)
    #expect(depth(["TERM": "rxvt-unicode"], 88) == .colors16)
    #expect(depth(["TERM": "xterm-direct"], 1 << 24, direct: true) == .direct)
  }

  @Test(
    arguments: [
      (0xFF0000, 196), (0x000000, 16), (0xFFFFFF, 231), (0x5F87AF, 67), (0x808080, 244),
      (0x121212, 233), (0x00FF00, 46),
    ] as [(UInt32, Int)])
  func nearestOf256(_ color: UInt32, _ index: Int) {
    #expect(ColorDepth.indexed256.index(of: RGB(color)) == index)
  }

  @Test(
    arguments: [
      (0xAB4642, 1), (0xA1B56C, 2), (0xF7CA88, 3), (0x7CAFC2, 6), (0x4070C0, 4), (0xBA6BBF, 5),
      (0x181818, nil), (0xD8D8D8, nil),
    ] as [(UInt32, Int?)])
  func huesOfANSI(_ color: UInt32, _ index: Int?) {
    #expect(ColorDepth.colors8.index(of: RGB(color)) == index)
  }

  @Test func middleGreysAreBrightBlackWith16() {
    #expect(ColorDepth.colors16.index(of: RGB(0x808080)) == 8)
    #expect(ColorDepth.colors16.index(of: RGB(0xD8D8D8)) == nil)
  }

  @Test func directKeepsTheColourButNotTheANSINumbers() {
    #expect(ColorDepth.direct.index(of: RGB(0x123456)) == 0x123456)
    #expect(ColorDepth.direct.index(of: RGB(0)) == 8)
  }

  @Test func contrastIsThatOfWCAG() {
    let black = RGB(0)
    let white = RGB(0xFFFFFF)
    #expect(abs(black.contrast(with: white) - 21) < 0.001)
    #expect(abs(RGB(0x767676).contrast(with: white) - 4.54) < 0.01)
  }
}
