#if PostgreSQL
import Basics
import CPostgreSQL

/// Sessions that a pooler lends for a transaction at a time: anything set or prepared in one is missing from
/// the next, or belongs to another program. Each transaction therefore repeats its settings, and no plan is
/// kept.
extension PostgreSQLConnection {
  /// Puts statements into libpq's buffer, with the settings of a borrowed session at the beginning of a
  /// transaction.
  func send(_ statements: [PostgreSQLStatement], in message: inout Message) throws {
    var rest = statements[...]
    if isPooled, isAtBeginning {
      // Settings that apply to a transaction from its first statement on must not follow a query.
      if let first = rest.first, first.text.hasPrefix("BEGIN") {
        try send(first, in: &message)
        rest = rest.dropFirst()
      }
      try sendSettings(in: &message)
    }
    for statement in rest { try send(statement, in: &message) }
  }

  /// Whether the next statement begins a transaction, its own unless it is one of several statements.
  private var isAtBeginning: Bool {
    !outstanding.isEmpty || PQtransactionStatus(pointer) == PQTRANS_IDLE
  }

  private func sendSettings(in message: inout Message) throws {
    let calls = settings.map { name, value in
      "set_config(\(Quoting.sqlText(name)), \(Quoting.sqlText(value)), true)"
    }
    let text = "SELECT \(calls.joined(separator: ", "))"
    guard PQsendQueryParams(pointer, text, 0, nil, nil, nil, nil, 1) == 1 else { throw failure() }
    message.parts.append(.settings)
  }
}
#endif
