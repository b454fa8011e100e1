/// Guesses the intended name.
package enum Suggestion {
  /// The name with the fewest edits from the written one, if these are few for its length; a difference in
  /// case counts as none. O(names × length²), for names of up to 64 characters.
  package static func closest(to written: String, in names: [String]) -> String? {
    let target = Array(written.lowercased())
    guard !target.isEmpty, target.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names where name.count <= 64 {
      let distance = distance(target, Array(name.lowercased()))
      if distance <= max(1, target.count / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name
  }

  /// Counts insertions, deletions, replacements and swaps of neighbours.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var row = [i + 1]
      for (j, right) in b.enumerated() {
        var cost = min(last[j] + (left == right ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, left == b[j - 1], a[i - 1] == right {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
