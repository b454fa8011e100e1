import Foundation

/// All runs of all works by all contenders.
struct Measurements {
  struct Figure {
    var seconds: [Double] = []
    /// The most memory that a run added to what the process had.
    var peak = 0

    var median: Double {
      let sorted = seconds.sorted()
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
  }

  /// By work, then name of the contender; absent where a contender has no way to do the work.
  private(set) var figures: [Work: [String: Figure]] = [:]
  var bytesPerObject: [String: Double] = [:]
  var controllerBytesPerRow: Double?

  mutating func note(_ seconds: Double, peak: Int, of work: Work, by name: String) {
    var figure = figures[work, default: [:]][name] ?? Figure()
    figure.seconds.append(seconds)
    figure.peak = max(figure.peak, peak)
    figures[work, default: [:]][name] = figure
  }

  func figure(_ work: Work, _ name: String) -> Figure? { figures[work]?[name] }

  /// The median of a contender over that of the C API.
  func ratio(_ work: Work, _ name: String) -> Double? {
    guard let raw = figure(work, RawContender.name), let figure = figure(work, name) else {
      return nil
    }
    return figure.median / raw.median
  }
}
