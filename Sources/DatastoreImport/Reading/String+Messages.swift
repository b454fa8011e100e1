import Gates

extension String {
  /// The text with marks in place of what a terminal could obey, at most 40 characters long, each with
  /// few combining marks. Complexity: O(1), however long the text is.
  package var shownInMessage: String {
    let beginning = prefix(40).unicodeScalars.prefix(160)
    let shown = String(beginning).markingHarmful()
    return beginning.endIndex < endIndex ? shown + "…" : shown
  }
}
