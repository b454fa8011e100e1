/// How long a transaction waits before it runs again since it has met a conflict.
///
/// Two programs that write one row without a break meet again and again where they wait equally long. So each pause is
/// drawn at random from a range that doubles, up to a limit.
enum ConflictPause {
  /// The longest pause before the first repetition.
  private static let first = Duration.milliseconds(1)
  /// The longest of all.
  private static let limit = Duration.milliseconds(64)

  /// The longest pause before a repetition.
  ///
  /// - Parameter repetition: counted from 1.
  static func longest(before repetition: Int) -> Duration {
    min(first * (1 << min(max(repetition - 1, 0), 16)), limit)
  }

  /// The pause before a repetition: at least half of the longest one.
  static func drawn(
    before repetition: Int, _ random: inout some RandomNumberGenerator
  ) -> Duration {
    longest(before: repetition) * Double.random(in: 0.5...1, using: &random)
  }
}
