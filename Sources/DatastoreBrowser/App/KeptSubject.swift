package import Foundation

/// The subject of kept data: a store, or the files whose rows are shown from a copy, since the copy is
/// another store each time.
package struct KeptSubject: Hashable, Sendable {
  /// The path of the store, or the paths of the files, one a line; for a database in a server, its identity.
  let paths: String

  /// A store; nil for one in memory.
  package init?(store: URL?) {
    guard let store else { return nil }
    paths = Self.path(store)
  }

  /// Files of rows, in any order; nil without files that can be read again.
  package init?(files: [String]) {
    if files.isEmpty { return nil }
    paths = files.map { Self.path(URL(fileURLWithPath: $0)) }.sorted().joined(separator: "\n")
  }

  /// A database in a server.
  package init(_ server: KeptServer) { paths = server.identity }

  private static func path(_ url: URL) -> String {
    url.resolvingSymlinksInPath().standardizedFileURL.path
  }
}

/// A database in a server, for data that a file would have beside it.
package struct KeptServer: Hashable, Sendable {
  /// The identity, which does not depend on the current address.
  package let identity: String

  package init(identity: String) {
    self.identity = identity
  }
}
