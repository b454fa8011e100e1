#if PostgreSQL

/// A moment as the server has it: microseconds since the beginning of the year 2000 in UTC.
package struct ServerTime: Hashable, Sendable {
  package let microseconds: Int64

  package static let infinity = ServerTime(microseconds: .max)
  package static let negativeInfinity = ServerTime(microseconds: .min)

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// From the beginning of 2000 to that of 2001, from which dates are counted in `Value`.
  private static let between: Int64 = 31_622_400_000_000

  /// The nearest moment that the server has; nil for what is no number or beyond its calendar.
  ///
  /// - Parameter seconds: since the beginning of the year 2001 in UTC.
  package init?(secondsSince2001 seconds: Double) {
    if seconds == .infinity {
      self = .infinity
    } else if seconds == -.infinity {
      self = .negativeInfinity
    } else {
      let microseconds = (seconds * 1e6).rounded()
      // From 4713 BC to 294276 AD, as seen from 2001.
      guard microseconds >= -211_845_110_400_000_000, microseconds < 9_223_339_708_800_000_000
      else { return nil }
      self.init(microseconds: Int64(microseconds) + Self.between)
    }
  }

  /// Seconds since the beginning of the year 2001 in UTC.
  package var secondsSince2001: Double {
    switch self {
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    default: Double(microseconds - Self.between) / 1e6
    }
  }
}

#endif
