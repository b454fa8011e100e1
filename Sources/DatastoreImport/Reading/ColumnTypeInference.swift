import Foundation

/// Finds the narrowest attribute type that holds all values of a column without loss.
///
/// Shown values one by one, it keeps nothing of them. Null and empty text say nothing about the
/// type. Text counts by what it reads as: `12` is an integer, but `007` and `+12`, whose digits a
/// number would not keep, are strings. Only `true` and `false` are booleans: `NO` may be Norway.
package struct ColumnTypeInference: Sendable {
  private enum Kind: Hashable {
    case boolean
    case integer
    case double
    case date
    case uuid
    case url
    case string
  }

  private var kinds: Set<Kind> = []
  /// Whether a Double holds each integer seen.
  private var integersAreExactDoubles = true
  private let decimalMark: DecimalMark

  package init(_ decimalMark: DecimalMark = .point) {
    self.decimalMark = decimalMark
  }

  /// The type of all values of a column; nil if none of them says anything.
  package static func type(
    of values: some Sequence<ImportValue>, _ decimalMark: DecimalMark = .point
  ) -> ColumnType? {
    var inference = ColumnTypeInference(decimalMark)
    for value in values { inference.observe(value) }
    return inference.type
  }

  /// The type of the values seen so far; nil if none of them says anything.
  package var type: ColumnType? {
    switch kinds {
    case []: nil
    case [.boolean]: .boolean
    case [.integer]: .integer
    case [.double]: .double
    case [.integer, .double]: integersAreExactDoubles ? .double : .string
    case [.date]: .date
    case [.uuid]: .uuid
    case [.url]: .url
    default: .string
    }
  }

  /// Takes one more value of the column into account.
  package mutating func observe(_ value: ImportValue) {
    switch value {
    case .null: break
    case .boolean: kinds.insert(.boolean)
    case .integer(let integer): observe(integer)
    case .real: kinds.insert(.double)
    case .text(let text):
      // Nothing is narrower than a string once one was seen.
      if !text.isEmpty, !kinds.contains(.string) { observe(text) }
    case .list, .record: kinds.insert(.string)
    }
  }

  private mutating func observe(_ integer: Int64) {
    kinds.insert(.integer)
    if integer.magnitude > 1 << 53 { integersAreExactDoubles = false }
  }

  private mutating func observe(_ text: String) {
    let number = decimalMark.plain(text) ?? ""
    if let integer = Self.integer(number) {
      observe(integer)
    } else if Self.isReal(number) {
      kinds.insert(.double)
    } else if ["true", "false"].contains(text.lowercased()) {
      kinds.insert(.boolean)
    } else if ISODate.parse(text) != nil {
      kinds.insert(.date)
    } else if text.utf8.count == 36, UUID(uuidString: text) != nil {
      kinds.insert(.uuid)
    } else if Self.isURL(text) {
      kinds.insert(.url)
    } else {
      kinds.insert(.string)
    }
  }

  private static func integer(_ text: String) -> Int64? {
    guard let integer = Int64(text), String(integer) == text else { return nil }
    return integer
  }

  /// Whether text is a number in the grammar of JSON that a Double holds with all its digits.
  private static func isReal(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let first = bytes.first, let last = bytes.last,
        first == Byte.minus || Byte.isDigit(first), Byte.isDigit(last)
      else {
        return false
      }
      var decoder = JSONValueDecoder(bytes, start: SourceCursor())
      guard case .real = try? decoder.decode() else { return false }
      return decoder.offset == bytes.count
    }
  }

  /// Whether text is an absolute URL with a host, or of a file.
  private static func isURL(_ text: String) -> Bool {
    guard text.contains("://"), !text.utf8.contains(where: { $0 <= Byte.space }),
      let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty
    else { return false }
    return url.host()?.isEmpty == false || scheme.lowercased() == "file"
  }
}
