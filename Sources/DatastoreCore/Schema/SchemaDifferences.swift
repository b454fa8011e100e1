/// Descriptions, for people, of changes by other tools that contradict the schema recorded in a store.
package enum SchemaDifferences {
  /// The greatest number of differences in the sentence.
  private static let most = 3

  /// One sentence about differences, each of which is the end of a sentence; nil when there are none.
  package static func sentence(_ differences: [String]) -> String? {
    guard !differences.isEmpty else { return nil }
    var parts = Array(differences.prefix(most))
    if differences.count > most { parts.append("and \(differences.count - most) more") }
    return "Other tools have changed this store: \(parts.joined(separator: ", "))."
  }
}
