#if PostgreSQL

extension Array {
  /// Its elements in order, at most so many at a time.
  func portions(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
#endif
