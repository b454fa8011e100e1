extension StoreError {
  /// The sentence for an error that occurs only with servers.
  var serverDescription: String {
    switch self {
    case .missingLibrary(let name, let detail):
      "Servers are reached through \(name), which cannot be loaded: \(detail). Install it (Debian and "
        + "Ubuntu have it as libpq5), then try again."
    case .unreachable(let server, let detail):
      "\(server) cannot be reached: \(detail). Check the address, and whether the server runs."
    case .authenticationFailed(let server, let user, let detail):
      "\(server) does not let the user “\(user)” in: \(detail). Check the name and the password, which "
        + "may come from ~/.pgpass or PGPASSWORD."
    case .noDatabase(let server, let name):
      "\(server) has no database “\(name)”; check its name, or create it with “createdb \(name)”."
    case .tooManyConnections(let server):
      "\(server) has as many connections as it allows; close other programs that use it, or try again "
        + "later."
    case .unusableAddress(let detail):
      "The address is not understood: \(detail)."
    case .unusableEncoding(let server, let encoding):
      "The database of \(server) has the encoding \(encoding), in which text may be anything; use one "
        + "that has the encoding UTF8."
    case .connectionLost(let server, let detail):
      "The connection to \(server) was lost: \(detail). Nothing of the current operation was saved; try again."
    case .outcomeUnknown(let server):
      "The connection to \(server) was lost at the end of a save, and nothing there says whether it was "
        + "saved. Check the store's content before you save again."
    case .serverReadOnly(let server):
      "\(server) is read-only: it is a standby, or the session was opened for reading; connect to the "
        + "primary server."
    case .notPermitted(let server, let detail):
      "\(server) does not permit it: \(detail). Ask its owner for the privilege."
    case .statementTimeout(let server):
      "\(server) has ended a statement that took longer than it allows (statement_timeout); ask for less, "
        + "or have the limit raised."
    case .server(let code, let detail, let server):
      "\(server) reports an error: \(detail) (SQLSTATE \(code))."
    default: ""
    }
  }
}
