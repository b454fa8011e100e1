#if PostgreSQL
import Basics
import CPostgreSQL

/// An error that a server has answered with, or the reason why there is no answer.
package struct PostgreSQLFailure: Error, Sendable {
  /// SQLSTATE: five characters, the first two of which are the class. Empty if no server has answered.
  package let code: String
  package let message: String
  package var detail: String?
  /// The position in the statement, in characters from 1.
  package var position: Int?
  package var schema: String?
  package var table: String?
  package var column: String?
  package var constraint: String?
  /// The server's context, outermost last, such as “COPY Employee, line 3, column age”.
  package var context: String?
  /// Whether the connection cannot be used any more, although it was not lost.
  var endsConnection = false
  /// The number of the failed statement among several, from 0; nil if it was none of them.
  package var statement: Int?
  /// Whether it has ended the session.
  private let isFatal: Bool

  package init(code: String, message: String) {
    self.code = code
    self.message = message
    isFatal = code.hasPrefix("08")
  }

  init(_ result: OpaquePointer, statement: Int?) {
    func field(_ field: cpostgresql_field) -> String? {
      PQresultErrorField(result, Int32(field.rawValue)).map { String(cString: $0) }
    }
    code = field(CPOSTGRESQL_SQLSTATE) ?? ""
    message =
      field(CPOSTGRESQL_MESSAGE) ?? String(cString: PQresultErrorMessage(result)).sentence
    detail = field(CPOSTGRESQL_DETAIL)
    position = field(CPOSTGRESQL_POSITION).flatMap { Int($0) }
    schema = field(CPOSTGRESQL_SCHEMA)
    table = field(CPOSTGRESQL_TABLE)
    column = field(CPOSTGRESQL_COLUMN)
    constraint = field(CPOSTGRESQL_CONSTRAINT)
    isFatal =
      field(CPOSTGRESQL_SEVERITY).map { $0 == "FATAL" || $0 == "PANIC" }
      ?? ["57P01", "57P02", "57P03"].contains(code)
    context = field(CPOSTGRESQL_CONTEXT)
    self.statement = statement
  }

  /// The message with the server's detail, as a part of a sentence.
  var explained: String {
    guard let detail else { return message }
    let isSentence = detail.utf8.last == UInt8(ascii: ".")
    return "\(message) (\(isSentence ? String(detail.dropLast()) : detail))"
  }

  /// The code by which a save reports that rows have changed: see `SaveMessage`.
  static let divisionByZero = "22012"

  /// Whether the connection has failed, and not the statement.
  package var isOfConnection: Bool {
    // A server that was killed says nothing.
    code.isEmpty || isFatal
  }

  /// Whether the server's connection to another server that keeps some of its rows has failed.
  var isOfServerBehind: Bool { !isOfConnection && code.hasPrefix("08") }

  /// Whether a machine that has some of the rows of a server has failed to commit when that server was about
  /// to commit.
  var isOfCommitBehind: Bool { code == "XX000" }

  /// Whether the same transaction may succeed when it is run again from its beginning.
  package var mayBeRetried: Bool { code == "40001" || code == "40P01" }

  /// Whether a plan that the server keeps has become useless, for example because tables have changed or a
  /// pooler has lent the session to others.
  var isOfPlan: Bool {
    code == "26000" || code == "42P05"
      || code == "0A000" && message.contains("cached plan")
  }
}

extension PostgreSQLFailure {
  /// The columns of “Key (a, b)=(1, 2) already exists.”, in any language; empty if the detail names none.
  var takenColumns: [String] {
    let sides = (detail ?? "").parts(at: ")=(", most: 2)
    let names = sides[0].parts(at: "(", most: 2)
    guard sides.count == 2, names.count == 2 else { return [] }
    return names[1].parts(at: ", ").map { $0.filter { $0 != "\"" } }
  }

  /// The names between quotation marks in its message, in order.
  var saidNames: [String] {
    message.parts(at: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

extension String {
  /// libpq's message as a part of a sentence: on one line, without a full stop. Lines that begin with a tab
  /// are left out: they suggest what this library's own messages say.
  var sentence: String {
    lines().filter { !$0.isEmpty && !$0.begins(with: "\t") }
      .map { $0.trimmingPrefix(while: \.isWhitespace) }
      .joined(separator: " ")
  }
}

/// An error that adds details to a server's refusal.
protocol FailureOfServer: Error {
  var failure: PostgreSQLFailure { get }
}
#endif
