extension Array {
  /// Its elements in order, in slices of at most `size`.
  package func portions(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension RandomAccessCollection {
  /// The first index whose element satisfies the predicate, provided the elements are partitioned by it.
  /// O(log n).
  package func partitioningIndex(where belongsInSecond: (Element) throws -> Bool) rethrows -> Index
  {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try belongsInSecond(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
