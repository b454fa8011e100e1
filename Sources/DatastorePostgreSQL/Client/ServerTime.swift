#if PostgreSQL

/// A moment as the server has it: microseconds since the beginning of the year 2000 in UTC.
package struct ServerTime: Hashable, Sendable {
  package let microseconds: Int64

  package static let infinity = ServerTime(microseconds: .max)
  package static let negativeInfinity = ServerTime(microseconds: .min)

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// Seconds from 2000-01-01 to 2001-01-01, from which dates are counted in `Value`.
  private static let secondsBetween: Double = 31_622_400

  /// The nearest moment that the server has; nil for what is no number or beyond its calendar.
  ///
  /// - Parameter seconds: since the beginning of the year 2001 in UTC.
  package init?(secondsSince2001 seconds: Double) {
    if seconds == .infinity {
      self = .infinity
    } else if seconds == -.infinity {
      self = .negativeInfinity
    } else {
      let microseconds = ((seconds + Self.secondsBetween) * 1e6).rounded()
      // From 4713 BC to 294276 AD.
      guard microseconds >= -211_813_488_000_000_000, microseconds < 9_223_371_331_200_000_000
      else { return nil }
      self.init(microseconds: Int64(microseconds))
    }
  }

  /// Seconds since the beginning of the year 2001 in UTC.
  package var secondsSince2001: Double {
    switch self {
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    default:
      // Both parts are exact, so that there is one rounding.
      Double(microseconds / 1_000_000) - Self.secondsBetween
        + Double(microseconds % 1_000_000) / 1e6
    }
  }
}

#endif
