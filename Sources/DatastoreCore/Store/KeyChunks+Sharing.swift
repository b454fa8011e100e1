/// The parts that two lists share because one was made from the other.
extension KeyChunks {
  /// Places that hold the same keys in two lists, in the same order.
  package struct SharedRange: Equatable {
    /// The first place in the older list.
    package let old: Int
    /// The ranges of chunks that both lists share in memory, and of runs of the same keys; ascending in the
    /// older list, in any order in the newer one. Equal keys in separate chunks are not included.
    package let new: Int
    package let count: Int

    package init(old: Int, new: Int, count: Int) {
      self.old = old
      self.new = new
      self.count = count
    }
  }

  /// The ranges of chunks that both lists hold in memory, and of runs of the same keys; ascending in the
  /// older list, in any order in the newer one. Keys that are the same in chunks of their own are not among
  /// them.
  ///
  /// A key is in a list once. O(chunks · log chunks), whatever their content.
  package func rangesShared(with newer: KeyChunks) -> [SharedRange] {
    if hasSameStorage(as: newer) {
      return isEmpty ? [] : [SharedRange(old: 0, new: 0, count: count)]
    }
    var places: [KeyChunk.Storage: Int] = [:]
    var runs: [(first: Int64, count: Int, start: Int)] = []
    for (chunk, start) in zip(newer.chunks, newer.starts) {
      if case .run(let first, let count) = chunk {
        runs.append((first, count, start))
      } else if let storage = chunk.storage {
        places[storage] = start
      }
    }
    runs.sort { $0.first < $1.first }
    var shared: [SharedRange] = []
    for (chunk, start) in zip(chunks, starts) {
      guard case .run(let first, let count) = chunk else {
        if let storage = chunk.storage, let place = places[storage] {
          shared.append(SharedRange(old: start, new: place, count: chunk.count))
        }
        continue
      }
      let last = first + Int64(count - 1)
      var number = runs.partitioningIndex { $0.first + Int64($0.count - 1) >= first }
      while number < runs.count, runs[number].first <= last {
        let run = runs[number]
        let low = Swift.max(first, run.first)
        let high = Swift.min(last, run.first + Int64(run.count - 1))
        shared.append(
          SharedRange(
            old: start + Int(low - first), new: run.start + Int(low - run.first),
            count: Int(high - low) + 1))
        number += 1
      }
    }
    return shared
  }

  /// Whether the lists are copies of each other. O(1).
  private func hasSameStorage(as other: KeyChunks) -> Bool {
    count == other.count
      && chunks.withUnsafeBufferPointer { mine in
        other.chunks.withUnsafeBufferPointer { $0.baseAddress == mine.baseAddress }
      }
  }

  /// Whether both have the same keys in the same order; does not look into shared chunks.
  func hasSameKeys(as other: KeyChunks) -> Bool {
    if hasSameStorage(as: other) { return true }
    var place = 0
    while place < count {
      let number = chunk(of: place)
      let otherNumber = other.chunk(of: place)
      let chunk = chunks[number]
      let otherChunk = other.chunks[otherNumber]
      let offset = place - starts[number]
      let otherOffset = place - other.starts[otherNumber]
      let length = Swift.min(chunk.count - offset, otherChunk.count - otherOffset)
      if case .unread = chunk, case .unread = otherChunk {
        place += length
        continue
      }
      if chunk.isUnread || otherChunk.isUnread { return false }
      if case .run = chunk, case .run = otherChunk {
        if chunk[offset] != otherChunk[otherOffset] { return false }
      } else if offset != otherOffset || chunk.storage == nil
        || chunk.storage != otherChunk.storage
      {
        for step in 0..<length where chunk[offset + step] != otherChunk[otherOffset + step] {
          return false
        }
      }
      place += length
    }
    return true
  }

  /// The keys of a range, unpacked. O(keys of the range).
  package func unpacked(_ places: Range<Int>) -> ContiguousArray<RowKey> {
    var keys: ContiguousArray<RowKey> = []
    keys.reserveCapacity(places.count)
    var place = places.lowerBound
    while place < places.upperBound {
      let number = chunk(of: place)
      let chunk = chunks[number]
      let first = place - starts[number]
      let end = Swift.min(chunk.count, first + places.upperBound - place)
      for offset in first..<end { keys.append(RowKey(chunk[offset])) }
      place += end - first
    }
    return keys
  }
}
