/// Lists that are longer than the part kept in memory: only the number of unread keys is known.
extension KeyChunks {
  /// A number of keys, none of which has been read. O(1).
  package init(unread count: Int) {
    self.init()
    append(.unread(count: count))
  }

  /// Whether every key can be read at its index.
  package var isRead: Bool { unreadCount == 0 }

  /// The key at an index; nil when it has not been read, or does not exist. O(log chunks).
  package func readKey(at index: Int) -> RowKey? {
    guard index >= 0, index < count else { return nil }
    let number = chunk(of: index)
    if chunks[number].isUnread { return nil }
    return RowKey(chunks[number][index - starts[number]])
  }

  func isUnread(at index: Int) -> Bool { chunks[chunk(of: index)].isUnread }

  /// The keys that have been read, with their places. O(keys that have been read).
  package var readKeys: some Sequence<(place: Int, key: RowKey)> {
    zip(chunks, starts).lazy.flatMap { chunk, start in
      let places = chunk.isUnread ? 0..<0 : 0..<chunk.count
      return places.lazy.map { (place: start + $0, key: RowKey(chunk[$0])) }
    }
  }

  /// The first stretch of unread keys that overlaps a range; nil when all of the range has been read.
  /// O(chunks).
  package func unreadStretch(in range: Range<Int>) -> Range<Int>? {
    guard unreadCount > 0, !range.isEmpty else { return nil }
    var number = chunk(of: Swift.max(0, range.lowerBound))
    while number < chunks.count, starts[number] < range.upperBound {
      if case .unread(let count) = chunks[number] { return starts[number]..<starts[number] + count }
      number += 1
    }
    return nil
  }

  /// Discards the keys of most chunks outside a range. The first key of each stays, from which the others are
  /// found again.
  ///
  /// - Parameter isKept: called for every key; a chunk stays unchanged if it returns true for one of its
  ///   keys.
  package mutating func forget(besides range: Range<Int>, keeping isKept: (RowKey) -> Bool) {
    var result = KeyChunks()
    for (chunk, start) in zip(chunks, starts) {
      if chunk.storage == nil || range.overlaps(start..<start + chunk.count)
        || chunk.keys.contains(where: { isKept(RowKey($0)) })
      {
        result.append(chunk)
      } else {
        result.append(.run(first: chunk[0], count: 1))
        result.append(.unread(count: chunk.count - 1))
      }
    }
    self = result
  }
}
