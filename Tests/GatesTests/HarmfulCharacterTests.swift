import Testing

@testable import DatastoreExport
@testable import Gates
@testable import TerminalUI

// Promise: a name or text of a file speaks to the terminal → marks in all output for people, by one list of
// characters.
// Also: `HostileNamesTests`
/// The one list of harmful characters, and what filters by it.
@Suite struct HarmfulCharacterTests {
  /// The planes that have characters of all kinds, and some of the others, which have ideographs or nothing.
  private static let all =
    (Array(0...0x1FFFF) + Array(stride(from: 0x20000, through: 0x10FFFF, by: 257))
    + Array(0xE0000...0xE0FFF)).compactMap { (value: UInt32) in Unicode.Scalar(value) }

  /// Characters that a terminal obeys, or that turn text, by their numbers: not from the list itself.
  private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test("Each character that a terminal obeys is listed, and no mark is one of them")
  func list() {
    for scalar in Self.all {
      guard let harm = HarmfulCharacter(scalar) else {
        #expect(!Self.isObeyed(scalar), "U+\(String(scalar.value, radix: 16))")
        continue
      }
      #expect(Self.isObeyed(scalar) == (harm == .control || harm == .direction))
      #expect(HarmfulCharacter(harm.mark(of: scalar)) == nil)
    }
  }

  @Test("JSON and SQL escape what the list calls control or direction, and nothing else")
  func bytes() {
    for scalar in Self.all {
      let bytes = Array(String(scalar).utf8)
      let found = bytes.withUnsafeBufferPointer { HarmfulBytes.character(at: 0, of: $0) }
      if Self.isObeyed(scalar) {
        #expect(found?.scalar == scalar.value && found?.length == bytes.count)
      } else {
        #expect(found == nil, "U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test("The screen and messages show marks for all that is listed")
  func screen() {
    for scalar in Self.all {
      let text = String(scalar)
      for shown in [text.markingHarmful(), Glyphs(text).map(\.text).joined()] {
        #expect(shown.unicodeScalars.allSatisfy { HarmfulCharacter($0) == nil })
      }
      if HarmfulCharacter(scalar) == nil { #expect(text.markingHarmful() == text) }
    }
  }

  @Test("Lines and tabs stay where they are wanted, emoji and ligatures everywhere")
  func kept() {
    #expect("a\n\tb\r\u{1B}".markingHarmful(keepsLines: true) == "a\n\tb␍␛")
    #expect("a\nb".markingHarmful() == "a␊b")
    #expect("👩‍👩‍👧 ❤️ نمی‌خواهم".markingHarmful() == "👩‍👩‍👧 ❤️ نمی‌خواهم")
  }
}
