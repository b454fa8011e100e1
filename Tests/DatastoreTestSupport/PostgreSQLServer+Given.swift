import Foundation

/// A server that exists before the tests, by the address of one of its databases.
struct GivenServer: Sendable {
  private let uri: URLComponents
  /// The database of the address.
  let database: String

  /// A part that the URI lacks.
  struct Unusable: Error, CustomStringConvertible {
    let description: String
  }

  init(_ text: String) throws {
    guard let uri = URLComponents(string: text), uri.path.count > 1 else {
      throw Unusable(
        description: "“\(text)” names no database; write DATASTORE_TEST_SERVER as "
          + "postgresql://user@host:5432/database.")
    }
    self.uri = uri
    database = String(uri.path.dropFirst())
  }

  /// The URI of a database of it, or of the same on a machine that it distributes tables over.
  func address(of database: String, on machine: (host: String, port: Int)? = nil) -> String {
    var uri = uri
    uri.path = "/\(database)"
    if let machine {
      uri.queryItems?.removeAll { ["host", "hostaddr", "port"].contains($0.name) }
      (uri.host, uri.port) = (machine.host, machine.port)
    }
    return uri.string ?? ""
  }
}

extension PostgreSQLServer {
  /// Whether it distributes tables over machines by itself (Citus).
  package var distributesTables: Bool {
    get throws {
      guard let given else { return false }
      let count = try psql(
        given.database, "SELECT count(*) FROM pg_extension WHERE extname = 'citus'")
      return count != "0"
    }
  }

  /// Makes a database in a server, and joins its machines for it if it has several.
  func make(_ name: String, in given: GivenServer) throws {
    let creation = "CREATE DATABASE \(name) TEMPLATE template0"
    try psql(given.database, creation)
    guard try distributesTables else { return }
    let nodes = try psql(
      given.database, "SELECT groupid > 0, nodename, nodeport FROM pg_dist_node ORDER BY groupid"
    ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
    var joining = "CREATE EXTENSION citus;"
    for node in nodes {
      guard node.count == 3, let port = Int(node[2]) else { continue }
      let isWorker = node[0] == "t"
      if isWorker {
        let machine = (host: node[1], port: port)
        _ = try psql(at: given.address(of: given.database, on: machine), creation)
        _ = try psql(at: given.address(of: name, on: machine), "CREATE EXTENSION citus")
      }
      let function = isWorker ? "citus_add_node" : "citus_set_coordinator_host"
      joining += "SELECT \(function)('\(node[1])', \(port));"
    }
    try psql(name, joining)
  }
}
