internal import Foundation

/// The locale of the environment, as far as it decides about characters.
package struct LocaleName: Hashable, Sendable {
  /// The name of the locale; nil if none is set, and for `C` and `POSIX`, which do not name an encoding.
  package let name: String?

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    self.name = ["C", "POSIX"].contains(name) ? nil : name
  }

  /// Whether the name is that of a Unicode locale, installed or not. Without a locale this is true: such
  /// environments are containers and services, whose terminals are as modern as any.
  package var isUnicode: Bool {
    guard let name = name?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }
}
