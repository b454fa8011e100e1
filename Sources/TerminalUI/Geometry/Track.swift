/// The length that one part of a split rectangle asks for.
package enum Track: Hashable, Sendable {
  /// Exactly this many cells, while there is room.
  case fixed(Int)
  /// A share of the room that the fixed parts leave, in proportion to `weight`, within bounds in cells.
  case share(weight: Int = 1, minimum: Int = 0, maximum: Int = .max)

  /// The lengths of the tracks in cells, in order.
  ///
  /// The sum with spacing never exceeds `available`: if the minima do not fit, later tracks starve first.
  /// Cells left over by rounding go to the earlier tracks. Complexity: quadratic in the number of tracks.
  package static func lengths(_ tracks: [Track], available: Int, spacing: Int = 0) -> [Int] {
    var remaining = max(0, available - spacing * max(0, tracks.count - 1))
    var lengths = [Int](repeating: 0, count: tracks.count)
    for (index, track) in tracks.enumerated() {
      let wanted =
        switch track {
        case .fixed(let length): length
        case .share(_, let minimum, _): minimum
        }
      lengths[index] = min(max(0, wanted), remaining)
      remaining -= lengths[index]
    }
    distribute(remaining, over: tracks, into: &lengths)
    return lengths
  }

  /// Gives the free cells to the shares, one at a time to the share that is furthest behind its weight.
  /// Screens are some hundred cells wide, so this is cheap and exact.
  private static func distribute(_ free: Int, over tracks: [Track], into lengths: inout [Int]) {
    for _ in 0..<free {
      var best: (index: Int, ratio: Double)?
      for (index, track) in tracks.enumerated() {
        guard case .share(let weight, _, let maximum) = track, weight > 0,
          lengths[index] < maximum
        else { continue }
        let ratio = Double(lengths[index]) / Double(weight)
        if best.map({ ratio < $0.ratio }) ?? true { best = (index, ratio) }
      }
      guard let best else { return }
      lengths[best.index] += 1
    }
  }
}
