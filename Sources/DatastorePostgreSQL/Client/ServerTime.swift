#if PostgreSQL
import DatastoreCore

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

  /// Seconds since the beginning of the year 2001 in UTC, rounded before 1716 and after 2286.
  package var secondsSince2001: Double {
    switch self {
    case .infinity: .infinity
    case .negativeInfinity: -.infinity
    default: Double(microseconds - Self.between) / 1e6
    }
  }
}

/// As values of columns.
extension ServerTime {
  /// From 1970 to 2000.
  private static let sinceUnix: Int64 = 946_684_800

  /// The seconds since 2001 if they are exact, otherwise the moment as text: `9999-12-31 23:59:59.999999`.
  /// Only in the years 1 to 9999, beyond which the seconds are rounded.
  var value: Value {
    let seconds = secondsSince2001
    guard ServerTime(secondsSince2001: seconds) != self else { return .real(seconds) }
    let million: Int64 = 1_000_000
    let rest = (microseconds % million + million) % million
    let moment = Moment(
      seconds: (microseconds - rest) / million + Self.sinceUnix, nanoseconds: rest * 1000)
    return Moment("\(moment)") == moment ? .text("\(moment)") : .real(seconds)
  }

  /// Parses the text of a value.
  init?(_ text: String) {
    guard let moment = Moment(text) else { return nil }
    self.init(
      microseconds: (moment.seconds - Self.sinceUnix) * 1_000_000 + moment.nanoseconds / 1000)
  }
}

#endif
