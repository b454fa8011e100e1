import Basics

/// The objects of one entity in one graph, by key.
///
/// Keys are in groups of eight neighbours: a group is a small allocation with a place for each object, and
/// groups are found by hashing. Rows read in the order of their keys, as most are, then use one group eight
/// times, while a plain hash table would jump through memory for each of them.
///
/// Clean objects that nothing else refers to are dropped by `sweep()`, which a graph calls when the map has
/// doubled. This gives weak references without a side table for each object, and never races with a release
/// on another thread, because an object that only the map refers to cannot be reached in any other way.
final class ObjectMap {
  private typealias Group = UnsafeMutablePointer<ManagedObject?>
  private static let groupSize = 8

  /// Open addressing over two flat buffers: the number of each group, and the group; nil is free. There are
  /// none before the first object: a transaction has a map for each entity of the model, but objects of only
  /// one or two.
  private var numbers: UnsafeMutablePointer<Int64>?
  private var groups: UnsafeMutablePointer<Group?>?
  /// A power of two, or 0 without buffers.
  private var capacity = 0
  private var groupCount = 0
  /// The group accessed last.
  private var last: (number: Int64, group: Group?) = (0, nil)
  private(set) var count = 0
  /// The map requests a sweep before `count` exceeds this.
  private var sweepThreshold = 1024

  deinit { Self.release(groups, capacity, numbers) }

  /// Whether the map has grown so much since the last sweep, including the additions, that a sweep is
  /// worthwhile.
  func wantsSweep(before additions: Int) -> Bool { count > 0 && count + additions > sweepThreshold }

  /// O(1).
  subscript(key: RowKey) -> ManagedObject? {
    let key = key.rawValue
    return group(key >> 3)?[Int(key & 7)]
  }

  /// Adds an object whose key is not in the map. O(1) amortised.
  func insert(_ object: ManagedObject) {
    let key = object.key.rawValue
    let group = group(key >> 3) ?? makeGroup(key >> 3)
    group[Int(key & 7)] = object
    count += 1
  }

  /// O(1).
  func remove(key: RowKey) {
    let key = key.rawValue
    guard let group = group(key >> 3), let removed = group[Int(key & 7)] else { return }
    group[Int(key & 7)] = nil
    count -= 1
    // Extended so that its release finds the map in a consistent state.
    withExtendedLifetime(removed) {}
  }

  /// Releases every object. O(capacity).
  func removeAll() {
    let old = (groups: groups, capacity: capacity, numbers: numbers)
    capacity = 0
    count = 0
    groupCount = 0
    last = (0, nil)
    (numbers, groups) = (nil, nil)
    Self.release(old.groups, old.capacity, old.numbers)
  }

  /// Drops every object that nothing else refers to and that `isDisposable`. O(capacity).
  func sweep(_ isDisposable: (ManagedObject) -> Bool) {
    guard let groups else { return }
    var emptied = 0
    for index in 0..<capacity {
      guard let group = groups[index] else { continue }
      var isEmpty = true
      for place in 0..<Self.groupSize where group[place] != nil {
        if isKnownUniquelyReferenced(&group[place]), let object = group[place],
          isDisposable(object)
        {
          group[place] = nil
          count -= 1
        } else {
          isEmpty = false
        }
      }
      if isEmpty {
        // Its place stays occupied until the groups are placed again, so that searches do not stop at it.
        emptied += 1
      }
    }
    if emptied > 0 { rehash(to: capacity, droppingEmpty: true) }
    sweepThreshold = max(1024, count * 2)
  }

  /// Calls the closure with every object, in no order.
  func visit(_ body: (ManagedObject) throws -> Void) rethrows {
    guard let groups else { return }
    for index in 0..<capacity {
      guard let group = groups[index] else { continue }
      for place in 0..<Self.groupSize {
        if let object = group[place] { try body(object) }
      }
    }
  }

  private func group(_ number: Int64) -> Group? {
    if last.number == number, let group = last.group { return group }
    guard let numbers, let groups else { return nil }
    var index = home(number)
    while let group = groups[index] {
      if numbers[index] == number {
        last = (number, group)
        return group
      }
      index = (index + 1) & (capacity - 1)
    }
    return nil
  }

  private func makeGroup(_ number: Int64) -> Group {
    if (groupCount + 1) * 4 > capacity * 3 {
      rehash(to: max(capacity * 2, 16), droppingEmpty: false)
    }
    let group = Group.allocate(capacity: Self.groupSize)
    group.initialize(repeating: nil, count: Self.groupSize)
    place(number, group)
    groupCount += 1
    last = (number, group)
    return group
  }

  private func home(_ number: Int64) -> Int {
    // Fibonacci hashing: consecutive numbers spread over the whole table.
    let hash = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: hash >> UInt64(64 - capacity.trailingZeroBitCount))
  }

  private func place(_ number: Int64, _ group: Group) {
    guard let numbers, let groups else {
      trap("there is room for a group that is inserted")
    }
    var index = home(number)
    while groups[index] != nil { index = (index + 1) & (capacity - 1) }
    numbers[index] = number
    groups[index] = group
  }

  private func rehash(to wanted: Int, droppingEmpty: Bool) {
    let old = (groups: groups, capacity: capacity, numbers: numbers)
    var kept: [(Int64, Group)] = []
    kept.reserveCapacity(groupCount)
    for index in 0..<old.capacity {
      guard let group = old.groups?[index], let number = old.numbers?[index] else { continue }
      if droppingEmpty && !(0..<Self.groupSize).contains(where: { group[$0] != nil }) {
        group.deinitialize(count: Self.groupSize)
        group.deallocate()
      } else {
        kept.append((number, group))
      }
    }
    capacity = wanted
    if droppingEmpty {
      capacity = 16
      while kept.count * 4 > capacity * 3 { capacity *= 2 }
    }
    groupCount = kept.count
    last = (0, nil)
    numbers = .allocate(capacity: capacity)
    groups = .allocate(capacity: capacity)
    groups?.initialize(repeating: nil, count: capacity)
    for (number, group) in kept { place(number, group) }
    old.groups?.deallocate()
    old.numbers?.deallocate()
  }

  /// Releases every object of an unused table, and the table.
  private static func release(
    _ groups: UnsafeMutablePointer<Group?>?, _ capacity: Int,
    _ numbers: UnsafeMutablePointer<Int64>?
  ) {
    guard let groups, let numbers else { return }
    for index in 0..<capacity {
      guard let group = groups[index] else { continue }
      group.deinitialize(count: groupSize)
      group.deallocate()
    }
    groups.deallocate()
    numbers.deallocate()
  }
}
