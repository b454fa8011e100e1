import Basics

/// One key, or several keys pressed one after the other: `gg`.
package struct KeySequence: Hashable, Sendable {
  /// The keys, at least one.
  package let keys: [Key]

  /// Traps without keys.
  package init(_ keys: [Key]) {
    require(!keys.isEmpty, "a sequence has at least one key")
    self.keys = keys
  }

  /// Whether a longer sequence begins with these keys.
  package func begins(_ other: KeySequence) -> Bool {
    other.keys.count > keys.count && other.keys.starts(with: keys)
  }

  /// The shorter sequences that it begins with.
  package var beginnings: [KeySequence] {
    keys.indices.dropFirst().map { KeySequence(Array(keys[..<$0])) }
  }

  /// The sequence with one more key.
  package static func + (sequence: KeySequence, key: Key) -> KeySequence {
    KeySequence(sequence.keys + [key])
  }
}

extension KeySequence: LosslessStringConvertible, ExpressibleByStringLiteral {
  /// The keys as text: characters next to each other (`gg`), other keys with blanks between them.
  package var description: String {
    let names = keys.map(\.description)
    let joined = names.joined()
    let isPlain = keys.allSatisfy { $0.typed.map { $0 != " " } ?? false }
    return keys.count > 1 && (!isPlain || Key(joined) != nil)
      ? names.joined(separator: " ") : joined
  }

  /// Parses keys from their text form: one key, keys with blanks between them, or characters; nil if it names
  /// no key.
  package init?(_ description: String) {
    if let key = Key(description) {
      keys = [key]
      return
    }
    let words = description.words().map(String.init)
    let parts = words.count == 1 ? description.map(String.init) : words
    let read = parts.compactMap(Key.init)
    // More than three letters without blanks are a misspelt name of a key.
    guard !read.isEmpty, read.count == parts.count, words.count > 1 || read.count <= 3 else {
      return nil
    }
    keys = read
  }

  /// Keys written in code.
  ///
  /// Traps when the text names no key.
  package init(stringLiteral value: String) {
    guard let sequence = KeySequence(value) else {
      trap("\"\(value)\" is not the name of a key; write for example \"ctrl-z\" or \"gg\"")
    }
    self = sequence
  }
}
