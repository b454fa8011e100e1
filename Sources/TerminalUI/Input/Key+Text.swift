import Basics

extension Key: LosslessStringConvertible, ExpressibleByStringLiteral {
  private static let named: [(name: String, base: Base)] = [
    ("space", .character(" ")), ("enter", .enter), ("tab", .tab), ("backspace", .backspace),
    ("esc", .escape), ("up", .up), ("down", .down), ("left", .left), ("right", .right),
    ("home", .home), ("end", .end), ("pgup", .pageUp), ("pgdn", .pageDown),
    ("insert", .insert), ("delete", .delete),
  ]

  /// The canonical text form, such as `ctrl-z`, `shift-tab`, `pgdn` or `?`.
  package var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "ctrl-" }
    if modifiers.contains(.alt) { text += "alt-" }
    if modifiers.contains(.shift) { text += "shift-" }
    switch base {
    case .function(let number): return text + "f\(number)"
    case .character(let character) where character != " ": return text + String(character)
    default: return text + (Self.named.first { $0.base == base }?.name ?? "")
    }
  }

  /// Parses a key from its text form; nil if it names no key. Modifiers may appear in any order, each once;
  /// the result prints canonically.
  package init?(_ description: String) {
    var rest = Substring(description)
    var modifiers: KeyModifiers = []
    let prefixes: [(String, KeyModifiers)] = [
      ("ctrl-", .control), ("alt-", .alt), ("shift-", .shift),
    ]
    scanning: while true {
      for (prefix, modifier) in prefixes
      where rest.hasPrefix(prefix) && rest.count > prefix.count && !modifiers.contains(modifier) {
        rest = rest.dropFirst(prefix.count)
        modifiers.insert(modifier)
        continue scanning
      }
      break
    }
    if let named = Self.named.first(where: { $0.name == rest }) {
      self.init(named.base, modifiers)
    } else if rest.count > 1, rest.first == "f", let number = Int(rest.dropFirst()),
      (1...63).contains(number), "f\(number)" == rest
    {
      self.init(.function(number), modifiers)
    } else if rest.count == 1, let character = rest.first, Self.isTypeable(character) {
      self.init(.character(character), modifiers)
    } else {
      return nil
    }
  }

  /// A key written in code.
  ///
  /// Traps when the text names no key.
  package init(stringLiteral value: String) {
    guard let key = Key(value) else {
      trap("\"\(value)\" is not the name of a key; write for example \"ctrl-z\" or \"pgdn\"")
    }
    self = key
  }

  /// Whether a key can print the character: neither a space, which has a name, nor a control.
  private static func isTypeable(_ character: Character) -> Bool {
    character != " "
      && character.unicodeScalars.allSatisfy { scalar in
        scalar.properties.generalCategory != .control
      }
  }
}
