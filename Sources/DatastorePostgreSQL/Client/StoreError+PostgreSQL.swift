#if PostgreSQL
package import DatastoreCore

extension StoreError {
  /// The reason why a connection was refused, which libpq reports in words only.
  init(refusedConnection message: String, server: ServerName) {
    let place = server.description
    // A server that answers says "FATAL:", in the language of its messages; the texts below are those of its
    // codes in the C locale.
    if message.contains("password authentication failed")
      || message.contains("no password supplied") || message.contains("no pg_hba.conf entry")
      || message.contains("authentication failed")
    {
      self = .authenticationFailed(server: place, user: server.user, detail: message)
    } else if message.contains("does not exist"), message.contains("database") {
      self = .noDatabase(server: place, name: server.database)
    } else if message.contains("too many clients") || message.contains("too many connections")
      || message.contains("remaining connection slots")
    {
      self = .tooManyConnections(server: place)
    } else {
      self = .unreachable(server: place, detail: message)
    }
  }

  /// A server's error, as far as it concerns no object.
  package init(_ failure: PostgreSQLFailure, server: ServerName) {
    let place = server.description
    if failure.isOfConnection {
      self = .connectionLost(server: place, detail: failure.message)
      return
    }
    if failure.isOfServerBehind {
      self = .connectionLost(
        server: "a server behind \(place), which keeps some of its rows", detail: failure.message)
      return
    }
    switch failure.code {
    case "53100": self = .diskFull(path: place)
    case "53300": self = .tooManyConnections(server: place)
    case "25006": self = .serverReadOnly(server: place)
    case "42501": self = .notPermitted(server: place, detail: failure.message)
    case "40001", "40P01", "55P03": self = .locked(path: place)
    case "57014": self = .statementTimeout(server: place)
    default:
      self = .server(
        code: failure.code,
        detail: failure.explained, server: place)
    }
  }
}

#endif
