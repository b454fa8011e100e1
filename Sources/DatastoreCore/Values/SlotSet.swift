/// A set of slots: one machine word up to 64 properties, an array beyond.
@usableFromInline package struct SlotSet: Sendable, Hashable, Codable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: [UInt64] = []

  /// No slots.
  package init() {}

  /// Creates a set of slots; repetitions count once.
  package init(_ slots: some Sequence<Slot>) {
    for slot in slots { insert(slot) }
  }

  package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  /// Whether the set has a slot. O(1).
  @inlinable
  package func contains(_ slot: Slot) -> Bool {
    let slot = slot.rawValue
    if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
    let word = slot / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
  }

  /// Adds a slot, if it is missing.
  @inlinable
  package mutating func insert(_ slot: Slot) {
    let slot = slot.rawValue
    if slot < 64 {
      low |= 1 << UInt64(slot)
      return
    }
    let word = slot / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(slot % 64)
  }

  /// Whether both sets have a slot in common.
  @inlinable
  package func intersects(_ other: SlotSet) -> Bool {
    low & other.low != 0 || zip(high, other.high).contains { $0 & $1 != 0 }
  }

  package mutating func remove(_ slot: Slot) {
    let slot = slot.rawValue
    if slot < 64 {
      low &= ~(1 << UInt64(slot))
    } else if slot / 64 - 1 < high.count {
      high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
      while high.last == 0 { high.removeLast() }
    }
  }

  package mutating func formUnion(_ other: SlotSet) {
    low |= other.low
    for (word, bits) in other.high.enumerated() {
      while high.count <= word { high.append(0) }
      high[word] |= bits
    }
  }
}

extension SlotSet: Sequence {
  /// Iterates over the slots, ascending.
  @usableFromInline package struct Iterator: IteratorProtocol {
    @usableFromInline var word = -1
    @usableFromInline var bits: UInt64
    @usableFromInline let high: [UInt64]

    @inlinable
    init(_ set: SlotSet) {
      bits = set.low
      high = set.high
    }

    @inlinable
    package mutating func next() -> Slot? {
      while bits == 0 {
        word += 1
        guard word < high.count else { return nil }
        bits = high[word]
      }
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      return Slot(rawValue: (word + 1) * 64 + bit)
    }
  }

  @inlinable
  package func makeIterator() -> Iterator { Iterator(self) }
}
