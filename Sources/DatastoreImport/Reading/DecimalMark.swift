import Basics

/// The decimal mark of numbers in a CSV file.
package enum DecimalMark: String, CaseIterable, Sendable {
  case point
  /// `3,5` and, with points or spaces between groups of three digits, `1.234,5`.
  case comma

  /// A number with this mark in Swift's form, with a point and without groups; nil if a comma is the mark and
  /// the text is not such a number.
  ///
  /// With a point the text is returned unchanged. O(length).
  package func plain(_ text: String) -> String? {
    guard self == .comma else { return text }
    var rest = Substring(text)
    var plain = ""
    if let sign = rest.first, sign == "-" || sign == "+" { plain.append(rest.removeFirst()) }
    let whole = rest.prefix { $0 != "," && $0 != "e" && $0 != "E" }
    let hasFraction = rest[whole.endIndex...].begins(with: ",")
    guard let digits = Self.ungrouped(whole, hasFraction: hasFraction) else { return nil }
    plain += digits
    rest = rest[whole.endIndex...]
    if rest.begins(with: ",") {
      let fraction = rest.dropFirst().prefix { $0.isASCIIDigit }
      if fraction.isEmpty { return nil }
      plain += "." + fraction
      rest = rest[fraction.endIndex...]
    }
    return rest.isEmpty || Double("1\(rest)") != nil && rest.first != "." ? plain + rest : nil
  }

  /// Digits without the separators between groups of three.
  private static func ungrouped(_ text: Substring, hasFraction: Bool) -> String? {
    guard let separator = text.first(where: { !$0.isASCIIDigit }) else {
      return text.isEmpty ? nil : String(text)
    }
    // Non-breaking spaces, narrow or not; others occur in telephone numbers, too.
    guard [".", "\u{A0}", "\u{202F}"].contains(separator) || separator == " " && hasFraction else {
      return nil
    }
    return groups(of: text, separator)?.joined()
  }

  /// The groups of a number whose first has one to three digits and no leading zero, and all others three;
  /// nil for other texts.
  private static func groups(of text: Substring, _ separator: Character) -> [Substring]? {
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard let first = groups.first, (1...3).contains(first.count), first.first != "0",
      groups.dropFirst().allSatisfy({ $0.count == 3 }),
      groups.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    return groups
  }
}

extension DecimalMark {
  /// Detects the mark from the first records of a file.
  ///
  /// It is a comma if a column has more numbers than other texts, some of which must have a comma (`3,5`, but
  /// not `1,234`, which may be grouped), and no number anywhere must have a point (`0.25`, `1,234.5`,
  /// `1,234,567`). If commas separate the fields it is a point.
  static func detect(in records: [[String]], delimiter: UInt8) -> DecimalMark {
    guard delimiter != Byte.comma else { return .point }
    // By column: whether a number must have a comma, and how many more numbers there are than other texts.
    var columns: [(hasComma: Bool, balance: Int)] = []
    for (number, record) in records.enumerated() {
      for (index, cell) in record.enumerated() where !cell.isEmpty {
        if columns.count <= index {
          columns += Array(repeating: (false, 0), count: index + 1 - columns.count)
        }
        switch evidence(of: cell) {
        case .comma:
          columns[index].hasComma = true
          columns[index].balance += 1
        case .point: return .point
        case .either: columns[index].balance += 1
        // The first record may be names.
        case .none: if number > 0 { columns[index].balance -= 1 }
        }
      }
    }
    return columns.contains { $0.hasComma && $0.balance > 0 } ? .comma : .point
  }

  private enum Evidence {
    case comma, point, either, none
  }

  private static func evidence(of cell: String) -> Evidence {
    let unsigned = cell.first == "-" || cell.first == "+" ? cell.dropFirst() : cell[...]
    guard let first = unsigned.first, first.isASCIIDigit else { return .none }
    let isComma = DecimalMark.comma.plain(cell) != nil
    let english = unsigned.parts(at: ".")
    let isGrouped =
      english.count <= 2 && english[0].has(",") && groups(of: english[0], ",") != nil
      && english.dropFirst().allSatisfy { $0.allSatisfy(\.isASCIIDigit) }
    // Double also reads hexadecimal.
    let isPlain = unsigned.utf8.allSatisfy { Byte.isDigit($0) || "+-.eE".utf8.contains($0) }
    let isPoint = isGrouped || isPlain && Double(cell) != nil
    switch (isComma, isPoint) {
    case (true, true): return .either
    case (true, false): return .comma
    case (false, true): return .point
    case (false, false): return .none
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isNumber }
}
