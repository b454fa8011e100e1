import Basics

/// Finds the keys among the bytes of a terminal that curses does not read: the sequences of xterm and of
/// compatible terminals.
struct EscapeDecoder {
  private var sequence: [UInt8] = []

  /// Decodes a byte and returns the units that it completes: a key, bytes that are no key, or nothing yet.
  mutating func feed(_ byte: UInt8) -> [InputDecoder.Unit] {
    if sequence.isEmpty {
      guard byte == 0x1B else { return [.byte(byte)] }
      sequence = [byte]
      return []
    }
    sequence.append(byte)
    if sequence.count == 2 {
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") { return [] }
      return end()
    }
    guard (0x40...0x7E).contains(byte) else { return sequence.count > 16 ? end() : [] }
    let text = String(decoding: sequence.dropFirst(2), as: UTF8.self)
    if text == "200~" || text == "201~" {
      sequence = []
      return [text == "200~" ? .pasteStart : .pasteEnd]
    }
    guard let key = Self.key(text) else { return end() }
    sequence = []
    return [.key(key)]
  }

  /// Ends the burst of input; returns the bytes of an unfinished sequence.
  mutating func endBurst() -> [InputDecoder.Unit] { end() }

  private mutating func end() -> [InputDecoder.Unit] {
    defer { sequence = [] }
    return sequence.map { .byte($0) }
  }

  /// The key for the text after `ESC [` or `ESC O`: `A`, `5~`, `1;2C`.
  private static func key(_ text: String) -> Key? {
    guard let final = text.last else { return nil }
    let numbers = text.dropLast().words(at: ";").map { Int($0) ?? 0 }
    var modifiers: KeyModifiers = []
    if numbers.count > 1 {
      let bits = numbers[1] - 1
      if bits & 1 != 0 { modifiers.insert(.shift) }
      if bits & 2 != 0 { modifiers.insert(.alt) }
      if bits & 4 != 0 { modifiers.insert(.control) }
    }
    let base: Key.Base
    switch final {
    case "A": base = .up
    case "B": base = .down
    case "C": base = .right
    case "D": base = .left
    case "H": base = .home
    case "F": base = .end
    case "P", "Q", "R", "S":
      base = .function(["P", "Q", "R", "S"].firstIndex(of: final).map { $0 + 1 } ?? 1)
    case "Z":
      base = .tab
      modifiers.insert(.shift)
    case "~":
      switch numbers.first {
      case 1, 7: base = .home
      case 2: base = .insert
      case 3: base = .delete
      case 4, 8: base = .end
      case 5: base = .pageUp
      case 6: base = .pageDown
      case let number? where (11...15).contains(number): base = .function(number - 10)
      case let number? where (17...21).contains(number): base = .function(number - 11)
      case let number? where (23...24).contains(number): base = .function(number - 12)
      default: return nil
      }
    default: return nil
    }
    return Key(base, modifiers)
  }
}
