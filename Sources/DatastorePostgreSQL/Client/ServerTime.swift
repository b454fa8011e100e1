#if PostgreSQL

/// A moment in the server's representation: microseconds since the beginning of the year 2000 in UTC.
package struct ServerTime: Hashable, Sendable {
  package let microseconds: Int64

  package static let infinity = ServerTime(microseconds: .max)
  package static let negativeInfinity = ServerTime(microseconds: .min)

  package init(microseconds: Int64) { self.microseconds = microseconds }

  /// From the beginning of 2000 to that of 2001, from which dates are counted in `Value`.
  private static let between: Int64 = 31_622_400_000_000

  /// The nearest moment that the server can represent; nil for NaN, and for moments beyond its calendar.
  ///
  /// - Parameter seconds: since the beginning of the year 2001 in UTC.
  package init?(secondsSince2001 seconds: Double) {
    if seconds == .infinity {
      self = .infinity
    } else if seconds == -.infinity {
      self = .negativeInfinity
    } else {
      // Separately, whole seconds and the rest are exact.
      let whole = seconds.rounded(.down)
      // From 4713 BC to 294276 AD, as seen from 2001.
      guard whole >= -211_845_110_400, whole < 9_223_339_708_800 else { return nil }
      let rest = Int64(((seconds - whole) * 1e6).rounded())
      self.init(microseconds: Int64(whole) * 1_000_000 + rest + Self.between)
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
