package import Foundation

/// What something that is kept is about: a store, or the files whose rows are shown from a copy, which is another
/// store each time.
package struct KeptSubject: Hashable, Sendable {
  /// The path of the store, or those of the files, one a line.
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

  private static func path(_ url: URL) -> String {
    url.resolvingSymlinksInPath().standardizedFileURL.path
  }
}
