#if PostgreSQL
import CPostgreSQL
package import DatastoreCore

/// Where a database is, in words of libpq: a URI (`postgresql://…`), keywords with values (`host=… dbname=…`), or
/// nothing, where environment, service file and password file say everything.
///
/// The text may have a password in it. It is given to libpq and shown nowhere.
package struct PostgreSQLAddress: Sendable, Hashable {
  package let text: String
  /// The schemas that unqualified names are looked for in; those of the server's settings without it.
  package var searchPath: [String]?
  /// Whether every transaction is refused that writes.
  package var isReadOnly = false

  /// - Throws: `StoreError.unusableAddress` with what libpq does not understand.
  package init(_ text: String) throws(StoreError) {
    self.text = text
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      let detail = message.map { String(cString: $0) } ?? "there is no memory for it"
      PQfreemem(message)
      throw .unusableAddress(detail: Self.withoutQuotes(detail.sentence))
    }
    PQconninfoFree(options)
  }

  /// Whether a text is a URI of PostgreSQL, rather than the path of a file.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// What libpq says of an address without what it quotes of it, which may be a password.
  private static func withoutQuotes(_ detail: String) -> String {
    detail.replacing(/"[^"]*"/, with: "“…”").replacing(/:?\s*"[^"]*$/, with: "")
  }

  /// The settings of a session, which libpq sends with the first message.
  ///
  /// - Parameter given: those of the address or the environment, which come after ours and so win.
  func sessionOptions(before given: String?) -> String {
    var settings = [
      "TimeZone=UTC", "DateStyle=ISO", "IntervalStyle=iso_8601", "extra_float_digits=3",
      "jit=off", "standard_conforming_strings=on",
      // A transaction that a program has left open keeps the server from tidying up for everybody.
      "idle_in_transaction_session_timeout=600000",
    ]
    if isReadOnly { settings.append("default_transaction_read_only=on") }
    if let searchPath {
      let names = searchPath.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
      settings.append("search_path=\(names.joined(separator: ","))")
    }
    let ours = settings.map { "-c \(Self.escaped($0))" }.joined(separator: " ")
    return given.map { "\(ours) \($0)" } ?? ours
  }

  /// A setting as one word of `options`, where a backslash takes a blank or itself literally.
  private static func escaped(_ setting: String) -> String {
    setting.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
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
