package import Foundation

/// What something that is kept is about: a store, or the files whose rows are shown from a copy, which is
/// another store each time.
package struct KeptSubject: Hashable, Sendable {
  /// The path of the store, or those of the files, one a line; for a database in a server, what it is known
  /// by.
  let paths: String

  /// A store; nil for one in memory.
  package init?(store: URL?) {
    guard let store else { return nil }
    paths = Self.path(store)
  }

  /// Files of rows, in any order; nil where there are none that can be looked at again.
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

/// A database in a server, for which things are kept that a file has beside it.
package struct KeptServer: Hashable, Sendable {
  /// What people call it.
  package let name: String
  /// By which it is the same one whatever its address is by now.
  package let identity: String

  package init(name: String, identity: String) {
    self.name = name
    self.identity = identity
  }
}
