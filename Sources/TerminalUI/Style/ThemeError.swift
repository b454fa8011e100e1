/// Why a scheme file cannot be used.
package struct ThemeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name as it was given.
  package var file: String
  /// The key in the file that is wrong, such as `palette.base0A`; nil for a fault of the whole file.
  package var key: String?
  /// What is wrong and what is expected: the end of a sentence.
  package var reason: String

  /// A sentence for the person who chose the theme.
  package var description: String {
    if let key {
      "The theme \(file) cannot be used: \(key) \(reason)"
    } else {
      "The theme \(file) cannot be used: \(reason)"
    }
  }
}
