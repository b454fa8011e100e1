import DatastoreCore
import Foundation
import Glibc

extension Date {
  /// `14:02:31 +02:00` in the user's time zone; `14:02:31 UTC` if that is UTC, as with `TZ=UTC`.
  var timeOfDay: String {
    var (seconds, parts) = (time_t(timeIntervalSince1970.rounded(.down)), tm())
    let isKnown = localtime_r(&seconds, &parts) != nil
    return timeOfDay(secondsFromUTC: isKnown ? parts.tm_gmtoff : 0)
  }

  /// The time of day in a time zone with this offset from UTC.
  func timeOfDay(secondsFromUTC offset: Int) -> String {
    let clock = addingTimeInterval(Double(offset)).timeIntervalSinceReferenceDate
    let time = (ISODate.format(clock) ?? "").dropFirst(11).prefix(8)
    let minutes = abs(offset) / 60
    let zone = Moment.padded(minutes / 60, 2) + ":" + Moment.padded(minutes % 60, 2)
    return "\(time) \(offset == 0 ? "UTC" : (offset < 0 ? "-" : "+") + zone)"
  }
}
