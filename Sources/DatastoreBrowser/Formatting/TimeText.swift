import DatastoreCore
import Foundation

extension Date {
  /// `14:02:31 UTC`.
  var timeOfDay: String {
    let text = ISODate.format(timeIntervalSinceReferenceDate) ?? ""
    return "\(text.dropFirst(11).prefix(8)) UTC"
  }
}
