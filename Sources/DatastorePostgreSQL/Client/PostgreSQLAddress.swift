#if PostgreSQL
import Basics
import CPostgreSQL
package import DatastoreCore
import Foundation

/// The address of a database in libpq's syntax: a URI (`postgresql://…`), keywords with values
/// (`host=… dbname=…`), or nothing if environment, service file and password file say everything.
///
/// The text may contain a password. It is passed to libpq and shown nowhere.
package struct PostgreSQLAddress: Sendable, Hashable {
  package let text: String
  /// The schemas in which unqualified names are resolved; those of the server's settings if nil.
  package var searchPath: [String]?
  /// Whether the server refuses every transaction that writes.
  package var isReadOnly = false
  /// Whether a pooler lends sessions for a transaction at a time, as `pooled=yes` in the address says; also
  /// detected if the pooler does not accept settings.
  package var isPooled = false
  /// The store that owns the connections, for triggers that record writes by other programs.
  var session: UUID?

  /// Loads libpq: nothing that calls libpq is reached without an address.
  ///
  /// - Throws: `StoreError.unusableAddress` with the part that libpq does not understand,
  ///   `StoreError.missingLibrary`.
  package init(_ text: String) throws(StoreError) {
    if let fault = cpostgresql_load() {
      throw .missingLibrary(name: "libpq", detail: String(cString: fault))
    }
    guard let fault = Self.fault(of: text) else {
      self.text = text
      return
    }
    // `pooled` is a keyword of this library that libpq does not know.
    let rest = Self.withoutPooled(text)
    guard rest != text, Self.fault(of: rest) == nil else {
      throw .unusableAddress(
        detail: Self.withoutQuotes(fault.sentence)
          + "; write it as postgresql://user@host:port/database")
    }
    self.text = rest
    isPooled = true
  }

  /// The part of an address that libpq does not understand; nil if it understands all.
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

  /// libpq's message about an address without the parts it quotes, which may contain a password.
  private static func withoutQuotes(_ detail: String) -> String {
    // By scalars, as libpq quotes it: a password may begin with a combining mark, which would hide the quote
    // before it.
    detail.replacing(/"[^"]*"/.matchingSemantics(.unicodeScalar), with: "“…”")
      .replacing(/:?\s*"[^"]*$/.matchingSemantics(.unicodeScalar), with: "")
  }

  /// The settings of a session, which libpq sends with the first message.
  ///
  /// - Parameter given: the settings of the address or the environment, which come last and so take
  ///   precedence.
  func sessionOptions(before given: String?) -> String {
    var settings = settings
    // A transaction that a program has left open keeps the server from vacuuming.
    settings.append(("idle_in_transaction_session_timeout", "600000"))
    if isReadOnly { settings.append(("default_transaction_read_only", "on")) }
    let ours = settings.map { "-c \(Quoting.connectionOption("\($0)=\($1)"))" }.joined(
      separator: " ")
    return given.map { "\(ours) \($0)" } ?? ours
  }

  /// The settings of a transaction, for a borrowed session.
  var transactionSettings: [(name: String, value: String)] {
    settings + (isReadOnly ? [("transaction_read_only", "on")] : [])
  }

  /// The number of extra digits that the settings ask for, which identifies a session that has them.
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

  /// The value of a keyword in the address itself.
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
