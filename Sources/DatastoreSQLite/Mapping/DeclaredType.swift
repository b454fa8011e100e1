import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

/// The meaning of a column's declared type: for SQLite, and for a person who edits it.
enum DeclaredType {
  /// <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>
  static func affinity(_ declared: String, isStrict: Bool) -> Affinity {
    let type = declared.uppercased()
    if isStrict, type == "ANY" { return .blob }
    if type.contains("INT") { return .integer }
    if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return .text }
    if type.isEmpty || type.contains("BLOB") { return .blob }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return .real }
    return .numeric
  }

  static func attributeType(_ declared: String) -> AttributeType {
    let type = declared.uppercased()
    if type.contains("INT") { return .integer64 }
    if type.contains("BOOL") { return .boolean }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return .double }
    if ["CHAR", "CLOB", "TEXT", "DATE", "TIME"].contains(where: type.contains) { return .string }
    if type.contains("BLOB") { return .data }
    return .undefined
  }

  /// Whether the name promises numbers or dates, of which SQLite does not know.
  static func isOfNoText(_ declared: String) -> Bool {
    let type = declared.uppercased()
    let words = type.split { !$0.isLetter }
    return words.contains { word in
      ["NUM", "DEC"].contains { word.hasPrefix($0) }
        || ["DATE", "TIME"].contains { word.contains($0) }
    }
      && !["CHAR", "CLOB", "TEXT"].contains(where: type.contains)
  }

  /// The value of a default that is a literal; nil when it has to be computed.
  static func literal(_ text: String) -> Value? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch text.uppercased() {
    case "NULL": return .null
    case "TRUE": return .integer(1)
    case "FALSE": return .integer(0)
    default: break
    }
    let scalars = text.unicodeScalars
    if scalars.count >= 2, let quote = scalars.first, quote == "'" || quote == "\"",
      scalars.last == quote
    {
      let unquoted = Quoting.undoubled(Substring(scalars.dropFirst().dropLast()), quote: quote)
      // A single quote inside means that this is an expression of several literals.
      return Quoting.quoted(unquoted, by: quote).isExactly(text) ? .text(unquoted) : nil
    }
    if text.uppercased().hasPrefix("X'"), text.ends(with: "'") {
      return Hexadecimal.bytes(text.dropFirst(2).dropLast()).map { .blob(Data($0)) }
    }
    guard let first = text.unicodeScalars.first, "+-.0123456789".unicodeScalars.contains(first)
    else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    if let real = Double(text), text.lowercased().allSatisfy({ "+-.e0123456789".contains($0) }) {
      return .real(real)
    }
    return nil
  }
}

extension Affinity {
  /// The value that a column of this affinity stores for a value.
  func converted(_ value: Value) -> Value {
    switch (self, value) {
    case (.text, .integer(let integer)): .text(String(integer))
    case (.integer, .text(let text)), (.numeric, .text(let text)):
      Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? value
    case (.integer, .real(let real)), (.numeric, .real(let real)):
      Int64(exactly: real).map { .integer($0) } ?? value
    case (.real, .integer(let integer)): .real(Double(integer))
    default: value
    }
  }
}
