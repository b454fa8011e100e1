#if PostgreSQL
import Basics
import CPostgreSQL
package import DatastoreCore
import Foundation

/// Where a database is, in words of libpq: a URI (`postgresql://…`), keywords with values
/// (`host=… dbname=…`), or nothing, where environment, service file and password file say everything.
///
/// The text may have a password in it. It is given to libpq and shown nowhere.
package struct PostgreSQLAddress: Sendable, Hashable {
  package let text: String
  /// The schemas that unqualified names are looked for in; those of the server's settings without it.
  package var searchPath: [String]?
  /// Whether every transaction is refused that writes.
  package var isReadOnly = false
  /// Whether a pooler lends sessions for a transaction at a time, as `pooled=yes` in the address says; also
  /// found by itself where the pooler does not take settings.
  package var isPooled = false
  /// Whose connections they are, for triggers that record what other programs write.
  var session: UUID?

  /// Loads libpq: nothing that calls it is reached without an address.
  ///
  /// - Throws: `StoreError.unusableAddress` with what libpq does not understand, `StoreError.missingLibrary`.
  package init(_ text: String) throws(StoreError) {
    if let fault = cpostgresql_load() {
      throw .missingLibrary(name: "libpq", detail: String(cString: fault))
    }
    guard let fault = Self.fault(of: text) else {
      self.text = text
      return
    }
    // Our own word, which libpq does not know.
    let rest = Self.withoutPooled(text)
    guard rest != text, Self.fault(of: rest) == nil else {
      throw .unusableAddress(
        detail: Self.withoutQuotes(fault.sentence)
          + "; write it as postgresql://user@host:port/database")
    }
    self.text = rest
    isPooled = true
  }

  /// What libpq does not understand in an address; nil where it understands all.
  private static func fault(of text: String) -> String? {
    var message: UnsafeMutablePointer<CChar>?
    if let options = PQconninfoParse(text, &message) {
      PQconninfoFree(options)
      return nil
    }
    defer { PQfreemem(message) }
    return message.map { String(cString: $0) } ?? "there is no memory for it"
  }

  private static func withoutPooled(_ text: String) -> String {
    guard isAddress(text) else {
      return text.replacing(/(^|\s)pooled\s*=\s*yes(?=\s|$)/, with: "")
    }
    guard let mark = text.firstPlace(of: "?") else { return text }
    let words = text.text(after: mark).words(at: "&").filter { $0 != "pooled=yes" }
    return text[..<mark] + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
  }

  /// Whether a text is a URI of PostgreSQL, rather than the path of a file.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// What libpq says of an address without what it quotes of it, which may be a password.
  private static func withoutQuotes(_ detail: String) -> String {
    // By scalars, as libpq quotes it: a password may begin with a mark, which would hide the quote before it.
    detail.replacing(/"[^"]*"/.matchingSemantics(.unicodeScalar), with: "“…”")
      .replacing(/:?\s*"[^"]*$/.matchingSemantics(.unicodeScalar), with: "")
  }

  /// The settings of a session, which libpq sends with the first message.
  ///
  /// - Parameter given: those of the address or the environment, which come after ours and so win.
  func sessionOptions(before given: String?) -> String {
    var settings = settings
    // A transaction that a program has left open keeps the server from tidying up for everybody.
    settings.append(("idle_in_transaction_session_timeout", "600000"))
    if isReadOnly { settings.append(("default_transaction_read_only", "on")) }
    let ours = settings.map { "-c \(Quoting.connectionOption("\($0)=\($1)"))" }.joined(
      separator: " ")
    return given.map { "\(ours) \($0)" } ?? ours
  }

  /// The settings of a transaction, for a session that is borrowed for it.
  var transactionSettings: [(name: String, value: String)] {
    settings + (isReadOnly ? [("transaction_read_only", "on")] : [])
  }

  /// How many digits of numbers the settings ask for, by which a session is recognised that has them.
  static let digits = "3"

  private var settings: [(name: String, value: String)] {
    var settings = [
      ("TimeZone", "UTC"), ("DateStyle", "ISO"), ("IntervalStyle", "iso_8601"),
      ("extra_float_digits", Self.digits), ("jit", "off"), ("standard_conforming_strings", "on"),
    ]
    if let session { settings.append(("datastore.session", session.uuidString)) }
    if let searchPath {
      let names = searchPath.map(Quoting.sqlName)
      settings.append(("search_path", names.joined(separator: ",")))
    }
    return settings.map { (name: $0.0, value: $0.1) }
  }

  /// What the address itself says of a keyword.
  func value(of keyword: String) -> String? {
    guard let options = PQconninfoParse(text, nil) else { return nil }
    defer { PQconninfoFree(options) }
    var option = options
    while let name = option.pointee.keyword {
      if String(cString: name) == keyword {
        return option.pointee.val.map { String(cString: $0) }
      }
      option += 1
    }
    return nil
  }
}

#endif
