/// One state of all the stores.
extension SharedReader {
  func readTransaction<Result>(
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    try reading(nested[...], [:], body)
  }

  func readTransaction<Result: Sendable>(
    reporting progress: ReadProgress?,
    _ body: @escaping @Sendable (any ReadTransaction) throws -> Result
  ) async throws -> Result {
    let order = nested
    // The first store's queue waits for the others, so no thread of a task does.
    return try await parts[order[0]].store.readTransaction(reporting: progress) { first in
      try self.reading(order.dropFirst(), [order[0]: first], body)
    }
  }

  /// The indices of the parts in the order in which their transactions begin, nested. Saves begin in the same
  /// order, so neither can wait for the other forever.
  private var nested: [Int] {
    parts.indices.sorted { parts[$0].place < parts[$1].place }
  }

  private func reading<Result>(
    _ rest: ArraySlice<Int>, _ open: [Int: any ReadTransaction],
    _ body: (any ReadTransaction) throws -> Result
  ) throws -> Result {
    guard let next = rest.first else {
      return try body(SharedTransaction(self, parts.indices.compactMap { open[$0] }))
    }
    return try parts[next].store.readTransaction { transaction in
      var open = open
      open[next] = transaction
      return try reading(rest.dropFirst(), open, body)
    }
  }
}
