/// A number for a text that is the same in every run and on every machine, unlike Swift's own hashes: FNV-1a
/// of 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>). Not for secrets: texts with one fingerprint are
/// easily found.
package struct Fingerprint: Hashable, Sendable {
  package let value: UInt64

  /// O(length).
  package init(_ text: String) {
    value = text.utf8.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  /// As few hexadecimal digits as possible, for names of files.
  package var name: String { String(value, radix: 16) }

  /// 16 hexadecimal digits.
  package var digits: String {
    withUnsafeBytes(of: value.bigEndian) { Hexadecimal.text($0, Hexadecimal.lowercase) }
  }
}
