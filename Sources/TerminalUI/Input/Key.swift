/// A key press. Its text form is canonical, so that key maps, help and tests are text:
/// modifiers in the order `ctrl-`, `alt-`, `shift-`, then a name (`enter`, `pgdn`, `f1`,
/// `space`) or the character itself (`x`, `?`, `ä`).
package struct Key: Hashable, Sendable {
  /// The key without its modifiers.
  package enum Base: Hashable, Sendable {
    /// A printing key. Never a control character; U+0020 is the space bar.
    case character(Character)
    case enter
    case tab
    case backspace
    case escape
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
    case insert
    case delete
    /// F1 to F63.
    case function(Int)
  }

  /// The key without modifiers.
  package let base: Base
  /// The modifiers held down with it.
  package let modifiers: KeyModifiers

  /// Creates a key in the form in which terminals report it. They send the same byte for some combinations
  /// (`ctrl-i` is `tab`, `ctrl-m` is `enter`, `ctrl-[` is `esc`, `ctrl-_` is `ctrl-/`, `ctrl-@` is
  /// `ctrl-space`), do not distinguish `ctrl-A` from `ctrl-a`, and do not report Shift for printing keys.
  package init(_ base: Base, _ modifiers: KeyModifiers = []) {
    guard case .character(let character) = base else {
      self.base = base
      self.modifiers = modifiers
      return
    }
    var modifiers = modifiers.subtracting(.shift)
    guard modifiers.contains(.control) else {
      self.base = base
      self.modifiers = modifiers
      return
    }
    switch character {
    case "i", "I":
      self.base = .tab
      modifiers.remove(.control)
    case "m", "M":
      self.base = .enter
      modifiers.remove(.control)
    case "[":
      self.base = .escape
      modifiers.remove(.control)
    case "_": self.base = .character("/")
    case "@": self.base = .character(" ")
    case "A"..."Z": self.base = .character(Character(character.lowercased()))
    default: self.base = base
    }
    self.modifiers = modifiers
  }

  /// The character that the key types; nil with any modifier other than Shift.
  package var typed: Character? {
    guard modifiers.isEmpty, case .character(let character) = base else { return nil }
    return character
  }
}

/// The keys held down with another one.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let control = KeyModifiers(rawValue: 1)
  /// Alt, which terminals also call Meta.
  package static let alt = KeyModifiers(rawValue: 2)
  /// Shift, for keys that print nothing; a shifted letter is simply another letter.
  package static let shift = KeyModifiers(rawValue: 4)
}
