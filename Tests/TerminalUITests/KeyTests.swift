import DatastoreTestSupport
import Testing

@testable import TerminalUI

struct KeyTests {
  @Test(arguments: [
    "ctrl-z", "shift-tab", "pgdn", "home", "enter", "backspace", "esc", "f1", "f63", "alt-x", "?",
    "space", "ctrl-space", "-", "ctrl--", "ctrl-alt-shift-up", "A", "ä", "漢", "ctrl-/", "f",
  ])
  func canonicalFormsParseAndPrint(_ text: String) throws {
    #expect(try #require(Key(text)).description == text)
  }

  @Test(arguments: [
    ("shift-ctrl-up", "ctrl-shift-up"), ("ctrl-i", "tab"), ("ctrl-m", "enter"),
    ("ctrl-[", "esc"), ("ctrl-A", "ctrl-a"), ("shift-x", "x"), ("ctrl-_", "ctrl-/"),
    ("ctrl-@", "ctrl-space"), ("alt-ctrl-i", "alt-tab"),
  ])
  func otherFormsBecomeCanonical(_ text: String, _ canonical: String) throws {
    #expect(try #require(Key(text)).description == canonical)
  }

  @Test(arguments: ["", "ctrl-", "ctrl", "f0", "f64", "f01", "xx", " ", "\t", "ctrl-ctrl-x", "F1"])
  func otherTextsNameNoKey(_ text: String) {
    #expect(Key(text) == nil)
  }

  @Test func everyKeySurvivesItsText() {
    var random = SeededRandom(seed: RandomCases.seed())
    let bases: [Key.Base] = [
      .enter, .tab, .backspace, .escape, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown, .insert, .delete,
    ]
    for _ in 0..<RandomCases.count {
      let base: Key.Base
      switch Int.random(in: 0..<3, using: &random) {
      case 0: base = bases[Int.random(in: 0..<bases.count, using: &random)]
      case 1: base = .function(.random(in: 1...63, using: &random))
      default:
        let scalar = Unicode.Scalar(UInt32.random(in: 0x20...0x24F, using: &random)) ?? "x"
        guard scalar.properties.generalCategory != .control else { continue }
        base = .character(Character(scalar))
      }
      let key = Key(base, KeyModifiers(rawValue: .random(in: 0...7, using: &random)))
      #expect(Key(key.description) == key, "seed \(random.seed): \(key)")
    }
  }
}
