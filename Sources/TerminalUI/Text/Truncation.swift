/// Which part of a text that is too long gives way to an ellipsis.
package enum Truncation: Hashable, Sendable {
  /// Keeps the beginning: `abcd…`.
  case tail
  /// Keeps the end: `…wxyz`.
  case head
  /// Keeps both ends: `ab…yz`.
  case middle
  /// Keeps the beginning and shows no ellipsis.
  case clip
  /// Shows a number in a shorter form, or a row of `#`, for with less digits it would be another one; of any other text
  /// the beginning is kept.
  case number
}
