import Foundation

/// Splits a predicate's text into tokens. Never fails: anything else becomes `.invalid`.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// In UTF-8 bytes.
  private var offset = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// All tokens; the last is `.end`. O(length).
  static func tokens(of text: String) -> [PredicateToken] {
    var lexer = PredicateLexer(text)
    var tokens: [PredicateToken] = []
    while true {
      lexer.skipWhitespace()
      let start = lexer.offset
      let kind = lexer.next()
      tokens.append(PredicateToken(kind: kind, range: start..<lexer.offset))
      if kind == .end { return tokens }
    }
  }

  /// Whether a name is a word without backticks.
  static func isPlainName(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, isNameStart(first) else { return false }
    return scalars.dropFirst().allSatisfy(isNamePart)
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.properties.isXIDStart
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar.properties.isXIDContinue
  }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  private var following: Unicode.Scalar? {
    index + 1 < scalars.count ? scalars[index + 1] : nil
  }

  @discardableResult
  private mutating func advance() -> Unicode.Scalar {
    let scalar = scalars[index]
    index += 1
    offset += UTF8.width(scalar)
    return scalar
  }

  private mutating func skipWhitespace() {
    while let scalar = current, scalar.properties.isWhitespace { advance() }
  }

  private mutating func next() -> PredicateToken.Kind {
    guard let scalar = current else { return .end }
    if scalar == "x" || scalar == "X", following == "'" { return blob() }
    if Self.isNameStart(scalar) { return .word(word()) }
    switch scalar {
    case "0"..."9": return date().map { .date($0) } ?? number()
    case "\"", "'": return text()
    case "`": return backtickedName()
    case "#":
      advance()
      let name = word()
      return name.isEmpty ? .invalid("A name must follow “#”.") : .name(name)
    case "%":
      advance()
      return argument()
    case "@":
      advance()
      return .collection(word())
    default: return symbol()
    }
  }

  private mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = current,
      word.isEmpty ? Self.isNameStart(scalar) : Self.isNamePart(scalar)
    {
      word.append(advance())
    }
    return String(word)
  }

  private mutating func argument() -> PredicateToken.Kind {
    if current == "@" {
      advance()
      return .argument("@")
    }
    return .argument(word())
  }

  private mutating func symbol() -> PredicateToken.Kind {
    let first = advance()
    let pairs: Set<String> = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"]
    if let second = current, pairs.contains("\(first)\(second)") {
      advance()
      return .symbol("\(first)\(second)")
    }
    if "=<>!(){}[],.+-*/".unicodeScalars.contains(first) { return .symbol(String(first)) }
    return switch first {
    case "&": .invalid("Write AND or && to join conditions.")
    case "|": .invalid("Write OR or || to join conditions.")
    case "“", "”", "„", "‘", "’": .invalid("Write text between straight quotes: \"…\" or '…'.")
    default: .invalid("This character has no meaning here.")
    }
  }

  private mutating func number() -> PredicateToken.Kind {
    var digits = scanDigits()
    if current == ".", let after = following, ("0"..."9").contains(after) {
      advance()
      digits += "." + scanDigits()
    }
    if current == "e" || current == "E" {
      digits.unicodeScalars.append(advance())
      if current == "+" || current == "-" { digits.unicodeScalars.append(advance()) }
      let exponent = scanDigits()
      if exponent.isEmpty { return .invalid("Digits must follow the “e” of a number.") }
      digits += exponent
    }
    guard let scalar = current, Self.isNamePart(scalar) else { return .number(digits) }
    while let scalar = current, Self.isNamePart(scalar) { advance() }
    return .invalid(
      "A number cannot continue with letters; put names that begin with digits in backticks.")
  }

  /// A date at the current position, with its time after a `T`. Text that looks like a date is not a
  /// calculation: no one subtracts `01` from 2024.
  private mutating func date() -> String? {
    func fits(_ pattern: String, at start: Int) -> Bool {
      var place = start
      for wanted in pattern.unicodeScalars {
        guard place < scalars.count else { return false }
        let isDigit = ("0"..."9").contains(scalars[place])
        guard wanted == "0" ? isDigit : scalars[place] == wanted else { return false }
        place += 1
      }
      return true
    }
    func isDigit(_ place: Int) -> Bool {
      place < scalars.count && ("0"..."9").contains(scalars[place])
    }
    guard fits("0000-00-00", at: index), !isDigit(index + 10) else { return nil }
    var end = index + 10
    if fits("T00:00", at: end) {
      end += 6
      if fits(":00", at: end) { end += 3 }
      if fits(".0", at: end) {
        end += 2
        while isDigit(end) { end += 1 }
      }
      if fits("Z", at: end) {
        end += 1
      } else if fits("+00:00", at: end) || fits("-00:00", at: end) {
        end += 6
      }
    }
    if end < scalars.count, Self.isNamePart(scalars[end]) { return nil }
    var text = ""
    while index < end { text.unicodeScalars.append(advance()) }
    return text
  }

  private mutating func scanDigits() -> String {
    var digits = ""
    while let scalar = current, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(advance())
    }
    return digits
  }

  private mutating func backtickedName() -> PredicateToken.Kind {
    advance()
    var name = String.UnicodeScalarView()
    while let scalar = current {
      advance()
      if scalar == "`" {
        guard current == "`" else {
          return name.isEmpty
            ? .invalid("A name between backticks cannot be empty.") : .name(String(name))
        }
        advance()
      }
      name.append(scalar)
    }
    return .invalid("This name has no closing backtick.")
  }

  private mutating func blob() -> PredicateToken.Kind {
    advance()
    advance()
    var digits: [UInt8] = []
    while let scalar = current, scalar != "'" {
      advance()
      guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        while let rest = current, rest != "'" { advance() }
        if current != nil { advance() }
        return .invalid("A blob is written in hexadecimal digits: x'00FF'.")
      }
      digits.append(UInt8(digit))
    }
    guard current != nil else { return .invalid("This blob has no closing quote.") }
    advance()
    guard digits.count.isMultiple(of: 2) else {
      return .invalid("A blob needs two hexadecimal digits for each byte.")
    }
    return .blob(
      Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }))
  }

  private mutating func text() -> PredicateToken.Kind {
    let quote = advance()
    var text = String.UnicodeScalarView()
    var fault: String?
    while let scalar = current {
      advance()
      if scalar == quote { return fault.map { .invalid($0) } ?? .text(String(text)) }
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      guard current != nil else { break }
      if let escaped = escape() {
        text.append(escaped)
      } else {
        fault =
          fault ?? "Unknown escape: write \\n \\t \\r \\\" \\' \\\\ or \\u with four digits."
      }
    }
    return .invalid("This text has no closing quote.")
  }

  private mutating func escape() -> Unicode.Scalar? {
    let letter = advance()
    switch letter {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "\"", "'", "\\": return letter
    case "u": break
    default: return nil
    }
    guard let unit = hexadecimalUnit() else { return nil }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Two escapes together denote a character beyond U+FFFF, as in JSON.
    guard (0xD800..<0xDC00).contains(unit), current == "\\", following == "u" else { return nil }
    advance()
    advance()
    guard let low = hexadecimalUnit(), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
  }

  private mutating func hexadecimalUnit() -> UInt16? {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let scalar = current, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        return nil
      }
      advance()
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
