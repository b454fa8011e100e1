/// The keys of a list in chunks of a few thousand, so that taking one out or putting one in moves and
/// copies one chunk and not the list, also while somebody else holds the list as it was.
///
/// Eight bytes a key and some for each chunk. Reading at an index is O(log chunks).
package struct KeyChunks: Sendable {
  /// Chunks are made half as long as they may become.
  private static let madeLength = 2048
  private static let greatestLength = 4096

  /// None of them is empty.
  private var chunks: ContiguousArray<ContiguousArray<Int64>> = []
  /// The index of the first key of each chunk.
  private var starts: ContiguousArray<Int> = []
  package private(set) var count = 0

  package init() {}

  package init(_ keys: [Int64]) {
    count = keys.count
    for start in stride(from: 0, to: keys.count, by: Self.madeLength) {
      starts.append(start)
      chunks.append(ContiguousArray(keys[start..<Swift.min(start + Self.madeLength, keys.count)]))
    }
  }

  private func chunk(of index: Int) -> Int { starts.partitioningIndex { $0 > index } - 1 }

  /// Where a key stands, or nil. O(keys), eight at a time.
  package func firstIndex(of key: Int64) -> Int? {
    for (number, chunk) in chunks.enumerated() {
      if let place = Self.place(of: key, in: chunk) { return starts[number] + place }
    }
    return nil
  }

  private static func place(of key: Int64, in chunk: ContiguousArray<Int64>) -> Int? {
    chunk.withUnsafeBufferPointer { keys in
      let wanted = SIMD8(repeating: key)
      let bytes = UnsafeRawBufferPointer(keys)
      let whole = keys.count & ~7
      var start = 0
      while start < whole {
        let eight = bytes.loadUnaligned(
          fromByteOffset: start * 8, as: SIMD8<Int64>.self)
        if any(eight .== wanted) { break }
        start += 8
      }
      return keys[start...].firstIndex(of: key)
    }
  }

  /// Puts a key before the one at an index. O(chunks).
  package mutating func insert(_ key: Int64, at index: Int) {
    precondition(index >= 0 && index <= count, "a key was put outside of its list")
    count += 1
    if chunks.isEmpty {
      chunks.append([key])
      starts.append(0)
      return
    }
    let number = index == count - 1 ? chunks.count - 1 : chunk(of: index)
    chunks[number].insert(key, at: index - starts[number])
    for later in (number + 1)..<Swift.max(chunks.count, number + 1) { starts[later] += 1 }
    if chunks[number].count > Self.greatestLength { split(number) }
  }

  private mutating func split(_ number: Int) {
    let whole = chunks[number]
    let half = whole.count / 2
    chunks[number] = ContiguousArray(whole[..<half])
    chunks.insert(ContiguousArray(whole[half...]), at: number + 1)
    starts.insert(starts[number] + half, at: number + 1)
  }

  /// Takes the key at an index out. O(chunks).
  @discardableResult
  package mutating func remove(at index: Int) -> Int64 {
    precondition(index >= 0 && index < count, "a key was taken from outside of its list")
    let number = chunk(of: index)
    let key = chunks[number].remove(at: index - starts[number])
    count -= 1
    for later in (number + 1)..<Swift.max(chunks.count, number + 1) { starts[later] -= 1 }
    if chunks[number].isEmpty {
      chunks.remove(at: number)
      starts.remove(at: number)
    }
    return key
  }
}

extension KeyChunks: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
  package init(arrayLiteral keys: Int64...) {
    self.init(keys)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> Int64 {
    get {
      let number = chunk(of: index)
      return chunks[number][index - starts[number]]
    }
    set {
      let number = chunk(of: index)
      chunks[number][index - starts[number]] = newValue
    }
  }

  /// O(chunks) to make; the keys are then read one after the other.
  package func makeIterator() -> FlattenSequence<ContiguousArray<ContiguousArray<Int64>>>.Iterator {
    chunks.joined().makeIterator()
  }
}

extension KeyChunks: Hashable {
  package static func == (left: KeyChunks, right: KeyChunks) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package static func == (left: KeyChunks, right: [Int64]) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for key in self { hasher.combine(key) }
  }
}
