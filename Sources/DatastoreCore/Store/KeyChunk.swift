import Basics

/// A few thousand keys of a list, in the most compact form.
enum KeyChunk: Sendable {
  /// Consecutive keys: only the first and their number are kept, so a run may have any length.
  case run(first: Int64, count: Int)
  /// Four bytes a key, each its distance from the least.
  case narrow(base: Int64, ContiguousArray<UInt32>)
  case wide(ContiguousArray<Int64>)
  /// Keys that exist but have not been read: only their number is known.
  case unread(count: Int)

  /// Chooses the form. O(keys).
  init(packing keys: ContiguousArray<Int64>) {
    guard let first = keys.first, let least = keys.min(), let greatest = keys.max() else {
      self = .wide([])
      return
    }
    let (distance, isHuge) = greatest.subtractingReportingOverflow(least)
    if isHuge || distance > Int64(UInt32.max) {
      self = .wide(keys)
    } else if distance == Int64(keys.count - 1), least == first, Self.isRun(keys) {
      self = .run(first: first, count: keys.count)
    } else {
      self = .narrow(
        base: least, ContiguousArray(keys.lazy.map { UInt32(truncatingIfNeeded: $0 - least) }))
    }
  }

  private static func isRun(_ keys: ContiguousArray<Int64>) -> Bool {
    var next = keys[0]
    for key in keys {
      if key != next { return false }
      next &+= 1
    }
    return true
  }

  var count: Int {
    switch self {
    case .run(_, let count): count
    case .narrow(_, let distances): distances.count
    case .wide(let keys): keys.count
    case .unread(let count): count
    }
  }

  var isUnread: Bool {
    if case .unread = self { true } else { false }
  }

  subscript(place: Int) -> Int64 {
    switch self {
    case .run(let first, let count):
      require(place >= 0 && place < count, "a key was read outside of its list")
      return first + Int64(place)
    case .narrow(let base, let distances): return base + Int64(distances[place])
    case .wide(let keys): return keys[place]
    case .unread: trap("a key was used that has not been read")
    }
  }

  /// The keys themselves. O(keys).
  var keys: ContiguousArray<Int64> {
    switch self {
    case .run(let first, let count):
      ContiguousArray((0..<count).lazy.map { first + Int64($0) })
    case .narrow(let base, let distances): ContiguousArray(distances.lazy.map { base + Int64($0) })
    case .wide(let keys): keys
    case .unread: trap("a key was used that has not been read")
    }
  }

  /// The identity of the memory that the chunk shares with its copies, whatever has become of the list it was
  /// copied from; nil for runs and unread keys, which keep no keys in memory. Comparable only while both
  /// chunks exist.
  var storage: Storage? {
    switch self {
    case .run, .unread: nil
    case .narrow(let base, let distances):
      distances.withUnsafeBufferPointer {
        Storage(address: UnsafeRawPointer($0.baseAddress), base: base)
      }
    case .wide(let keys):
      keys.withUnsafeBufferPointer { Storage(address: UnsafeRawPointer($0.baseAddress), base: 0) }
    }
  }

  /// The address of a chunk's keys in memory.
  struct Storage: Hashable {
    fileprivate let address: UnsafeRawPointer?
    fileprivate let base: Int64
  }

  /// The keys of a range. O(keys), except for runs.
  func part(_ places: Range<Int>) -> KeyChunk {
    switch self {
    case .run(let first, _): .run(first: first + Int64(places.lowerBound), count: places.count)
    case .narrow(let base, let distances):
      .narrow(base: base, ContiguousArray(distances[places]))
    case .wide(let keys): .wide(ContiguousArray(keys[places]))
    case .unread: .unread(count: places.count)
    }
  }

  /// Edits the keys. A changed chunk stays wide, because it is soon changed again.
  mutating func edit<Result>(_ body: (inout ContiguousArray<Int64>) -> Result) -> Result {
    var keys = keys
    // No other reference to the array exists while it is changed, so it is not copied.
    self = .run(first: 0, count: 0)
    defer { self = .wide(keys) }
    return body(&keys)
  }

  /// The place of a key, or nil. O(keys), many at a time, except for runs.
  func firstIndex(of key: Int64) -> Int? {
    switch self {
    case .run(let first, let count):
      guard count > 0, key >= first, key <= first + Int64(count - 1) else { return nil }
      return Int(key - first)
    case .narrow(let base, let distances):
      let (distance, isHuge) = key.subtractingReportingOverflow(base)
      guard !isHuge, let wanted = UInt32(exactly: distance) else { return nil }
      return distances.withUnsafeBufferPointer { Self.place(of: wanted, in: $0) }
    case .wide(let keys):
      return keys.withUnsafeBufferPointer { Self.place(of: key, in: $0) }
    case .unread: return nil
    }
  }

  /// Compares blocks of keys in a loop without an early exit, which the compiler vectorises.
  @inline(__always)
  private static func place<Key: FixedWidthInteger>(
    of key: Key, in keys: UnsafeBufferPointer<Key>
  ) -> Int? {
    let block = 64
    var start = 0
    while start + block <= keys.count {
      var isThere: Key = 0
      for offset in 0..<block { isThere |= keys[start &+ offset] == key ? 1 : 0 }
      if isThere != 0 { break }
      start += block
    }
    return keys[start...].firstIndex(of: key)
  }
}
