import DatastoreCore

/// A range of unread places in a long list, and the question that reads their keys: counted from a row that
/// has been read, before or after them, whichever is nearer.
struct ListWindow: RequestQuestion, ComposedQuestion, Hashable {
  typealias Answer = KeyChunks?

  let places: Range<Int>
  /// The rows, in the order of the whole list.
  let request: FetchRequest
  private let order: KeysetOrder
  private let isBackward: Bool
  /// The row that has been read, and the number of unread rows in between.
  private let row: RowKey?
  private let skip: Int
  /// The number of stored rows before the places.
  private let offset: Int

  /// The first window of a range that has unread keys; nil when all keys of the range have been read.
  ///
  /// - Parameter unsaved: keys in the list that the store does not have.
  init?(
    _ range: Range<Int>, of keys: KeyChunks, _ request: FetchRequest, in order: KeysetOrder,
    unsaved: Set<RowKey>
  ) {
    guard let stretch = keys.unreadStretch(in: range) else { return nil }
    let wanted = range.clamped(to: stretch)
    // A large request reads more at once, and so waits less often.
    let margin =
      KeyWindowQuestion.length / 2 * (wanted.count > 4 * KeyWindowQuestion.length ? 4 : 1)
    var lower = max(stretch.lowerBound, wanted.lowerBound - margin)
    if lower - stretch.lowerBound < margin { lower = stretch.lowerBound }
    var upper = min(stretch.upperBound, lower + 2 * margin)
    if stretch.upperBound - upper < margin { upper = stretch.upperBound }
    places = lower..<upper
    self.request = request
    self.order = order
    let unsavedPlaces = unsaved.compactMap { keys.firstIndex(of: $0) }
    let isStored = { (place: Int) in keys.readKey(at: place).map { !unsaved.contains($0) } }
    offset = lower - unsavedPlaces.count { $0 < lower }
    // Unsaved rows may lie between the unread rows and the row that these are counted from.
    var before = stretch.lowerBound - 1
    while isStored(before) == false { before -= 1 }
    var after = stretch.upperBound
    while isStored(after) == false { after += 1 }
    let first = keys.readKey(at: before)
    let last = keys.readKey(at: after)
    let fromStart = first == nil ? offset : lower - stretch.lowerBound
    let end = keys.count - upper - unsavedPlaces.count { $0 >= upper }
    let toEnd = last == nil ? end : stretch.upperBound - upper
    isBackward = toEnd < fromStart
    row = isBackward ? last : first
    skip = isBackward ? toEnd : fromStart
  }

  /// The keys of the places; nil when the store no longer has so many rows.
  func answer(in transaction: any ReadTransaction) throws -> KeyChunks? {
    let window = KeyWindowQuestion(
      request, in: isBackward ? order.reversed : order, after: row, skipping: skip,
      count: places.count)
    guard var keys = try transaction.answer(window) else { return nil }
    if keys.count < places.count {
      // Finds values that no comparison finds, such as NaN, by their place in the order.
      var rows = request
      rows.offset = offset
      rows.limit = places.count
      keys = try transaction.answer(KeysQuestion(rows))
    } else if isBackward {
      keys.reverse()
    }
    return keys.count == places.count ? KeyChunks(keys) : nil
  }
}
