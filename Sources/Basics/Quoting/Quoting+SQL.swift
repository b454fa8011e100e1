extension Quoting {
  /// A name of SQL, between double quotes.
  package static func sqlName(_ name: some StringProtocol) -> String { quoted(name, by: "\"") }

  /// A qualified name of SQL, as `"schema"."table"`.
  package static func sqlName(_ outer: String, _ name: String) -> String {
    sqlName(outer) + "." + sqlName(name)
  }

  /// A text of SQL, as SQLite reads it, and PostgreSQL with `standard_conforming_strings`.
  package static func sqlText(_ text: some StringProtocol) -> String { quoted(text, by: "'") }

  /// A text of PostgreSQL that means the same with every setting of the server.
  package static func postgreSQLText(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return sqlText(text) }
    return "E" + sqlText(replacing(in: text) { $0 == "\\" ? #"\\"# : nil })
  }

  /// An array of PostgreSQL (<https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO>); nil is NULL.
  package static func postgreSQLArray(_ elements: some Sequence<String?>) -> String {
    "{" + elements.map { $0.map(postgreSQLArrayElement) ?? "NULL" }.joined(separator: ",") + "}"
  }

  private static func postgreSQLArrayElement(_ text: String) -> String {
    "\"" + replacing(in: text) { $0 == "\"" || $0 == "\\" ? "\\\($0)" : nil } + "\""
  }

  /// A setting as one word of libpq's `options`, where a backslash escapes a blank or another backslash.
  package static func connectionOption(_ setting: String) -> String {
    replacing(in: setting) { $0 == "\\" || $0.properties.isWhitespace ? "\\\($0)" : nil }
  }

  /// A pattern of LIKE that matches only this text, with `\` before wildcards.
  package static func likePattern(_ text: String) -> String {
    replacing(in: text) { $0 == "%" || $0 == "_" || $0 == "\\" ? "\\\($0)" : nil }
  }

  /// A name in a predicate, between backticks.
  package static func predicateName(_ name: String) -> String { quoted(name, by: "`") }
}
