/// Texts and names that are equal only if their bytes are.
///
/// Swift considers two texts equal that differ only in Unicode normalization: an é, and an e followed by a
/// combining accent. A database, a file system and a shell do not, so names and values of theirs are compared
/// with these.
extension StringProtocol {
  /// Whether both are the same bytes of UTF-8. O(length).
  @inlinable
  package func isExactly(_ other: some StringProtocol) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.count == right.count && left.elementsEqual(right)
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Feeds the bytes into a hasher. O(length).
  @inlinable
  package func hashExactly(into hasher: inout Hasher) {
    let isFed: Void? = utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isFed == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xFF as UInt8)
  }

  /// A key for dictionaries and sets of names: equal only if the bytes of the names are. Not for display.
  /// O(length); the name itself if it is ASCII.
  package var exactKey: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return String(self) }
    // No name begins with a NUL, so no other name has this key.
    return unicodeScalars.reduce(into: "\0") { key, scalar in
      if scalar.isASCII, scalar != "\u{1}" {
        key.unicodeScalars.append(scalar)
      } else {
        key += "\u{1}\(String(scalar.value, radix: 16))\u{1}"
      }
    }
  }

  /// Like `exactKey`, for names in which the case of ASCII letters, and only of these, makes no difference,
  /// as in SQLite.
  package var caselessKey: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    return exactKey.lowercased()
  }
}

extension String {
  /// The name of an exact key; a text that is not an exact key is a name.
  package init(exactKey key: String) {
    guard key.utf8.first == 0 else {
      self = key
      return
    }
    var name = UnicodeScalarView()
    // Every second part, between two marks, is the number of a scalar.
    for (place, part) in key.utf8.dropFirst().split(separator: 1, omittingEmptySubsequences: false)
      .enumerated()
    {
      let part = Substring(part)
      if place.isMultiple(of: 2) {
        name.append(contentsOf: part.unicodeScalars)
      } else if let scalar = UInt32(part, radix: 16).flatMap(Unicode.Scalar.init) {
        name.append(scalar)
      }
    }
    self.init(name)
  }
}

extension [String] {
  /// Whether both have the same names in the same order, by their bytes. O(length).
  package func isExactly(_ other: [String]) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isExactly($1) }
  }

  /// The index of a name, by its bytes. O(length).
  package func place(ofName name: String) -> Int? { firstIndex { $0.isExactly(name) } }
}
