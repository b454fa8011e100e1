import CSlots

/// The slot numbering of objects whose class inherits wrappers: those of the topmost class come first, so
/// that a property has the same slot in every class that inherits it.
///
/// Unchecked: written once, before anyone else knows it, and kept for as long as the program runs, like the
/// reflections of classes.
struct SlotBlocks: @unchecked Sendable {
  private let blocks: UnsafePointer<cslots_block>

  /// - Parameter counts: the number of properties that each class declares itself, subclass first. Nil when
  ///   one class declares them all, or there are none.
  init?(_ counts: [Int]) {
    let declaring = counts.filter { $0 > 0 }
    guard declaring.count > 1 else { return nil }
    var start = Int32(declaring.reduce(0, +))
    let memory = UnsafeMutablePointer<cslots_block>.allocate(capacity: declaring.count)
    for (place, count) in declaring.enumerated() {
      let end = start
      start -= Int32(count)
      (memory + place).initialize(
        to: cslots_block(start: start, end: place == declaring.count - 1 ? -1 : end))
    }
    blocks = UnsafePointer(memory)
  }

  /// Starts the numbering for an object that this thread is about to initialise.
  static func begin(_ blocks: SlotBlocks?) {
    if let blocks { cslots_begin(blocks.blocks) } else { cslots_reset() }
  }
}
