package import DatastoreCore

/// A set of keys, one bit for each where they lie close together, as those of rows that are written one after another
/// do: a million of them take 200 KB.
package struct RowKeySet: Sendable {
  /// By the upper bits of the keys: which of 512 keys are members.
  private var blocks: [Int64: SIMD8<UInt64>] = [:]

  package init() {}

  /// Adds a key; false where it is there already.
  @discardableResult
  package mutating func insert(_ key: RowKey) -> Bool {
    let number = key.rawValue
    let word = Int(number >> 6 & 7)
    let bit: UInt64 = 1 << UInt64(number & 63)
    var isNew = false
    // In one look-up.
    func set(_ block: inout SIMD8<UInt64>) {
      isNew = block[word] & bit == 0
      block[word] |= bit
    }
    set(&blocks[number >> 9, default: SIMD8()])
    return isNew
  }

  package func contains(_ key: RowKey) -> Bool {
    let number = key.rawValue
    guard let block = blocks[number >> 9] else { return false }
    return block[Int(number >> 6 & 7)] & 1 << UInt64(number & 63) != 0
  }
}
