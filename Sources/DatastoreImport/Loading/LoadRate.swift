/// The speed of a load and the remaining time, computed from its progress.
package struct LoadRate: Hashable, Sendable {
  /// The part of the file that has been read, from 0 to 1; nil when its size is not known.
  package let fraction: Double?
  /// Rows a second since the load began; nil as long as it cannot be determined.
  package let rowsPerSecond: Int?
  /// Seconds until the end of the file at this pace; nil when that cannot be determined.
  package let secondsLeft: Int?

  /// - Parameter seconds: the time since the final pass over this file began.
  package init(_ progress: LoadProgress, after seconds: Double) {
    let total = Double(progress.totalBytes ?? 0)
    let read = min(Double(progress.bytesRead), total)
    fraction = total > 0 ? read / total : nil
    // In the first moments a rate is meaningless.
    guard seconds >= 0.2, progress.rows > 0 else {
      rowsPerSecond = nil
      secondsLeft = nil
      return
    }
    rowsPerSecond = Int(Double(progress.rows) / seconds)
    secondsLeft = read > 0 ? Int((seconds * (total - read) / read).rounded(.up)) : nil
  }

  /// A duration as people read it: `0:07`, `1:02:03`.
  package static func duration(_ seconds: Int) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let tail = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
    if hours == 0 { return "\(minutes):\(tail)" }
    return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
  }
}
