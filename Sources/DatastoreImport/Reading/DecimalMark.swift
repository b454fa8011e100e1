/// What stands between the whole and the fraction of a number in a CSV file.
package enum DecimalMark: String, CaseIterable, Sendable {
  case point
  /// `3,5` and, with points or spaces between groups of three digits, `1.234,5`.
  case comma

  /// A number that is written with this mark as Swift reads it, which is with a point and without
  /// groups; nil if a comma is the mark and the text is no such number.
  ///
  /// With a point the text comes back as it is. O(length).
  func plain(_ text: String) -> String? {
    guard self == .comma else { return text }
    var rest = Substring(text)
    var plain = ""
    if let sign = rest.first, sign == "-" || sign == "+" { plain.append(rest.removeFirst()) }
    let whole = rest.prefix { $0 != "," && $0 != "e" && $0 != "E" }
    guard let digits = Self.ungrouped(whole) else { return nil }
    plain += digits
    rest = rest[whole.endIndex...]
    if rest.first == "," {
      let fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
      if fraction.isEmpty { return nil }
      plain += "." + fraction
      rest = rest[fraction.endIndex...]
    }
    return rest.isEmpty || Double("1\(rest)") != nil && rest.first != "." ? plain + rest : nil
  }

  /// Digits without what stands between groups of three.
  private static func ungrouped(_ text: Substring) -> String? {
    guard let separator = text.first(where: { !$0.isASCIIDigit }) else {
      return text.isEmpty ? nil : String(text)
    }
    // A space, also one that does not break, narrow or not.
    guard [".", " ", "\u{A0}", "\u{202F}"].contains(separator) else { return nil }
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard let first = groups.first, (1...3).contains(first.count), first.first != "0",
      groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    return groups.joined()
  }
}

extension DecimalMark {
  /// Tells the mark from the first records of a file.
  ///
  /// It is a comma if there are numbers with one (`3,5`), and none with a point; `1.234` may be either, and
  /// so counts as one with a point unless there are numbers with both (`1.234,5`). Where commas stand
  /// between the fields it is a point.
  static func detect(in records: [[String]], delimiter: UInt8) -> DecimalMark {
    guard delimiter != Byte.comma else { return .point }
    var (hasComma, hasPoint) = (false, false)
    for cell in records.joined() where cell.utf8.first.map(Self.beginsNumber) ?? false {
      if DecimalMark.comma.plain(cell) != nil, cell.contains(",") {
        if cell.contains(".") { return .comma }
        hasComma = true
      } else if cell.contains("."), Double(cell) != nil {
        hasPoint = true
      }
    }
    return hasComma && !hasPoint ? .comma : .point
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool {
    Byte.isDigit(byte) || byte == Byte.minus || byte == Byte.plus
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
