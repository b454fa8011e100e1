import Basics

/// The keys of a list in chunks of a few thousand. Removing or inserting a key moves and copies one chunk and
/// not the list, even while someone else holds the former list.
///
/// Mostly four bytes a key, eight where keys are far apart, and almost nothing for consecutive keys. Reading
/// at an index is O(log chunks). In a list that is too long for memory, chunks may be unread
/// (`KeyChunks+Unread.swift`).
package struct KeyChunks: Sendable {
  /// Chunks are made half as long as they may grow; only runs are longer.
  private static let madeLength = 2048
  private static let greatestLength = 4096

  /// None of them is empty.
  private(set) var chunks: ContiguousArray<KeyChunk> = []
  /// The index of the first key of each chunk.
  private(set) var starts: ContiguousArray<Int> = []
  package private(set) var count = 0
  /// The number of unread keys.
  package private(set) var unreadCount = 0

  package init() {}

  package init(_ keys: some Sequence<RowKey>) {
    var builder = Builder()
    for key in keys { builder.append(key) }
    self = builder.finish()
  }

  /// All keys of a range. O(1).
  package init(_ keys: ClosedRange<RowKey>) {
    append(
      .run(
        first: keys.lowerBound.rawValue,
        count: Int(keys.upperBound.rawValue - keys.lowerBound.rawValue) + 1))
  }

  /// Collects keys one by one, and never holds more than a chunk of them unpacked.
  package struct Builder {
    private var list = KeyChunks()
    private var pending: ContiguousArray<Int64> = []

    package init() {
      pending.reserveCapacity(KeyChunks.madeLength)
    }

    package var count: Int { list.count + pending.count }

    package mutating func append(_ key: RowKey) {
      pending.append(key.rawValue)
      if pending.count == KeyChunks.madeLength { pack() }
    }

    private mutating func pack() {
      list.append(KeyChunk(packing: pending))
      pending.removeAll(keepingCapacity: true)
    }

    /// The list of all keys so far.
    package mutating func finish() -> KeyChunks {
      if !pending.isEmpty { pack() }
      return list
    }
  }

  /// Appends a chunk; merges it with the last one if both are consecutive runs, or both unread.
  mutating func append(_ chunk: KeyChunk) {
    guard chunk.count > 0 else { return }
    defer { count += chunk.count }
    if case .unread(let more) = chunk {
      unreadCount += more
      if case .unread(let length)? = chunks.last {
        chunks[chunks.count - 1] = .unread(count: length + more)
        return
      }
    }
    if case .run(let first, let more) = chunk, case .run(let start, let length)? = chunks.last,
      start + Int64(length - 1) < first, first - 1 == start + Int64(length - 1)
    {
      chunks[chunks.count - 1] = .run(first: start, count: length + more)
      return
    }
    starts.append(count)
    chunks.append(chunk)
  }

  func chunk(of index: Int) -> Int { starts.partitioningIndex { $0 > index } - 1 }

  /// The place of a key, or nil. O(keys), many at a time.
  package func firstIndex(of key: RowKey) -> Int? {
    for (number, chunk) in chunks.enumerated() {
      if let place = chunk.firstIndex(of: key.rawValue) { return starts[number] + place }
    }
    return nil
  }

  /// Inserts a key before the one at an index. O(chunks).
  package mutating func insert(_ key: RowKey, at index: Int) {
    require(index >= 0 && index <= count, "a key was put outside of its list")
    if chunks.isEmpty || unreadCount > 0 && isUnread(at: Swift.min(index, count - 1)) {
      replaceSubrange(index..<index, with: [key])
      return
    }
    let number = editableChunk(of: Swift.min(index, count - 1))
    count += 1
    let place = index - starts[number]
    chunks[number].edit { $0.insert(key.rawValue, at: place) }
    for later in (number + 1)..<Swift.max(chunks.count, number + 1) { starts[later] += 1 }
    if chunks[number].count > Self.greatestLength {
      split(number, at: chunks[number].count / 2)
    }
  }

  /// The chunk of an index, cut out of a long run if necessary. O(chunks).
  private mutating func editableChunk(of index: Int) -> Int {
    let number = chunk(of: index)
    guard chunks[number].count > Self.greatestLength else { return number }
    let place = index - starts[number]
    let lower = place / Self.madeLength * Self.madeLength
    if lower + Self.madeLength < chunks[number].count { split(number, at: lower + Self.madeLength) }
    guard lower > 0 else { return number }
    split(number, at: lower)
    return number + 1
  }

  /// Replaces a range of keys with those of another list. O(chunks of both).
  package mutating func replaceSubrange(_ places: Range<Int>, with new: KeyChunks) {
    require(places.lowerBound >= 0 && places.upperBound <= count, "keys outside of their list")
    let lower = makeBorder(at: places.lowerBound)
    let upper = makeBorder(at: places.upperBound)
    var result = KeyChunks()
    for chunk in chunks[..<lower] { result.append(chunk) }
    for chunk in new.chunks { result.append(chunk) }
    for chunk in chunks[upper...] { result.append(chunk) }
    self = result
  }

  /// Splits a chunk so that one begins at an index, and returns its number.
  private mutating func makeBorder(at index: Int) -> Int {
    guard index < count else { return chunks.count }
    let number = chunk(of: index)
    if starts[number] == index { return number }
    split(number, at: index - starts[number])
    return number + 1
  }

  private mutating func split(_ number: Int, at place: Int) {
    let whole = chunks[number]
    chunks[number] = whole.part(0..<place)
    chunks.insert(whole.part(place..<whole.count), at: number + 1)
    starts.insert(starts[number] + place, at: number + 1)
  }

  /// Removes the key at an index. O(chunks).
  @discardableResult
  package mutating func remove(at index: Int) -> RowKey {
    require(index >= 0 && index < count, "a key was taken from outside of its list")
    let number = editableChunk(of: index)
    let place = index - starts[number]
    let key = chunks[number].edit { $0.remove(at: place) }
    count -= 1
    for later in (number + 1)..<Swift.max(chunks.count, number + 1) { starts[later] -= 1 }
    if chunks[number].count == 0 {
      chunks.remove(at: number)
      starts.remove(at: number)
    }
    return RowKey(key)
  }
}

extension KeyChunks: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  package init(arrayLiteral keys: RowKey...) {
    self.init(keys)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> RowKey {
    get {
      let number = chunk(of: index)
      return RowKey(chunks[number][index - starts[number]])
    }
    set {
      let number = editableChunk(of: index)
      let place = index - starts[number]
      chunks[number].edit { $0[place] = newValue.rawValue }
    }
  }

  /// Keys one after the other, chunk by chunk.
  package struct Iterator: IteratorProtocol {
    fileprivate let chunks: ContiguousArray<KeyChunk>
    private var number = 0
    private var place = 0

    fileprivate init(_ chunks: ContiguousArray<KeyChunk>) { self.chunks = chunks }

    package mutating func next() -> RowKey? {
      guard number < chunks.count else { return nil }
      let key = RowKey(chunks[number][place])
      place += 1
      if place == chunks[number].count {
        number += 1
        place = 0
      }
      return key
    }
  }

  package func makeIterator() -> Iterator { Iterator(chunks) }
}

extension KeyChunks: Hashable {
  /// O(chunks) if the lists share their chunks, otherwise O(keys).
  package static func == (left: KeyChunks, right: KeyChunks) -> Bool {
    left.count == right.count && left.hasSameKeys(as: right)
  }

  package static func == (left: KeyChunks, right: [RowKey]) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (_, key) in readKeys { hasher.combine(key) }
  }
}
