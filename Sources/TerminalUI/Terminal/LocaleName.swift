internal import Foundation

/// The locale that the environment asks for, as far as it decides about characters.
package struct LocaleName: Hashable, Sendable {
  /// Its name; nil where none is set, and for `C` and `POSIX`, which say nothing about characters.
  package let name: String?

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
    self.name = ["C", "POSIX"].contains(name) ? nil : name
  }

  /// Whether it shows Unicode, which its name says whether it is installed or not. Without any locale it is
  /// assumed to: such environments are containers and services, whose terminals are as modern as any.
  package var isUnicode: Bool {
    guard let name = name?.lowercased() else { return true }
    return name.contains("utf-8") || name.contains("utf8")
  }
}
