extension RegularExpression {
  /// Whether the expression of a `MATCHES` matches the whole text; false when it does not compile. Any thread.
  package static func matches(
    _ text: String, _ pattern: String, options: Predicate.StringOptions
  ) throws(Exhaustion) -> Bool {
    let marks = options.intersection(.diacriticInsensitive)
    do {
      return try matches(
        TextFolding.fold(text, marks), TextFolding.fold(pattern, marks),
        ignoringCase: options.contains(.caseInsensitive))
    } catch {
      // As it was written.
      throw Exhaustion(pattern: pattern)
    }
  }
}
