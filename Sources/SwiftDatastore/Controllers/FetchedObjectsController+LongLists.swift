import DatastoreCore

/// Lists of which only parts are kept in memory.
///
/// Keys are read in windows around the places that are accessed. Staged changes of saved objects move nothing
/// before they are saved, and new objects come last in their section. When a save adds, removes or moves
/// rows, the list is counted again and read around the places accessed last. A list stays a long one until it
/// is read again, even if all of it has been accessed meanwhile: staged objects are where they were put.
extension FetchedObjectsController {
  /// The question that reads the whole list, or counts it when it is long.
  func listQuestion(owners: [RowKey]) -> LongListQuestion {
    LongListQuestion(
      KeyListQuestion(storedRequest(owners: owners), groupBy: groupKeyPath),
      in: isWindow ? nil : keysetOrder, mostKeys: mostKeys, wasLonger: isLong)
  }

  private var keysetOrder: KeysetOrder? { KeysetOrder(order.descriptors, of: entity) }

  /// The question that reads the first unread keys of a range.
  ///
  /// - Parameter unsaved: keys in the list that are not in the store.
  private func window(
    _ range: Range<Int>, of keys: KeyChunks, unsaved: Set<RowKey>
  ) -> ListWindow? {
    guard !keys.isRead, let keysetOrder else { return nil }
    var request = request
    request.sortDescriptors = order.descriptors
    return ListWindow(
      range.clamped(to: 0..<keys.count), of: keys, request, in: keysetOrder, unsaved: unsaved)
  }

  /// Adds to a list the keys of the places accessed last.
  func readingLastRange(_ read: KeyList) async throws -> KeyList {
    var list = read
    list.keys = try await reading(lastRange, of: read.keys, unsaved: [])
    return list
  }

  /// Reads the unread keys of a range off the main actor. Returns without them if the list is replaced
  /// meanwhile.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func readKeys(_ range: Range<Int>) async throws {
    lastRange = range
    let mine = generation
    while let window = window(range, of: list.keys, unsaved: content.pendingInsertions) {
      let keys = try await viewContext.core.readStore.answer(window)
      try Task.checkCancellation()
      guard generation == mine else { return }
      // Changes may have been staged meanwhile.
      guard self.window(range, of: list.keys, unsaved: content.pendingInsertions) == window else {
        continue
      }
      guard take(keys, of: window, for: range) else { return }
    }
  }

  /// Reads the unread keys of a range, waiting for the store.
  func readKeysNow(_ range: Range<Int>) throws {
    lastRange = range
    while let window = window(range, of: list.keys, unsaved: content.pendingInsertions) {
      guard take(try viewContext.core.readStore.answer(window), of: window, for: range) else {
        return
      }
    }
  }

  /// The given keys of this list, with those of a range read, for callers that keep them. If the list has
  /// become shorter, some stay unread.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func reading(_ range: Range<Int>, of keys: KeyChunks) async throws -> KeyChunks {
    try await reading(range, of: keys, unsaved: content.pendingInsertions)
  }

  private func reading(
    _ range: Range<Int>, of keys: KeyChunks, unsaved: Set<RowKey>
  ) async throws -> KeyChunks {
    var keys = keys
    while let window = window(range, of: keys, unsaved: unsaved) {
      guard let read = try await viewContext.core.readStore.answer(window) else { break }
      try Task.checkCancellation()
      keys.replaceSubrange(window.places, with: read)
    }
    return keys
  }

  /// The place of an object, counted by the store if it has not been accessed; nil when it is not in the
  /// list.
  ///
  /// - Throws: `StoreError` when the store cannot be read; `CancellationError`.
  package func index(of key: RowKey) async throws -> Int? {
    if let index = list.keys.firstIndex(of: key) { return index }
    guard let question = placeQuestion(of: key) else { return nil }
    return try await viewContext.core.readStore.answer(question).flatMap(index(ofStored:))
  }

  /// The place of an object, waiting for the store.
  func indexNow(of key: RowKey) throws -> Int? {
    if let index = list.keys.firstIndex(of: key) { return index }
    guard let question = placeQuestion(of: key) else { return nil }
    return try viewContext.core.readStore.answer(question).flatMap(index(ofStored:))
  }

  private func placeQuestion(of key: RowKey) -> RowPlaceQuestion? {
    guard isLong, let keysetOrder else { return nil }
    return RowPlaceQuestion(key, of: request, in: keysetOrder)
  }

  /// The place of the row with `place` saved rows before it.
  private func index(ofStored place: Int) -> Int? {
    var index = place
    for unsaved in content.pendingInsertions.compactMap({ list.keys.firstIndex(of: $0) }).sorted()
    where unsaved <= index { index += 1 }
    return index < list.keys.count ? index : nil
  }

  /// - Returns: whether the list still has these places.
  private func take(_ keys: KeyChunks?, of window: ListWindow, for range: Range<Int>) -> Bool {
    guard let keys else {
      // Someone has written changes that this context has not received yet.
      content.outdate()
      apply(GraphChanges(), from: [.otherProcess])
      return false
    }
    content.list.keys.replaceSubrange(window.places, with: keys)
    let most = max(mostKeys, 8 * KeyWindowQuestion.length)
    if list.keys.count - list.keys.unreadCount > most {
      let near = 2 * KeyWindowQuestion.length
      content.list.keys.forget(
        besides: min(range.lowerBound, window.places.lowerBound) - near..<max(
          range.upperBound, window.places.upperBound) + near,
        keeping: content.pendingInsertions.contains)
    }
    return true
  }

  /// The objects that a change moves before it is saved: in a long list only those that are not in the store.
  func movable(_ keys: [RowKey]) -> [RowKey] {
    guard isLong else { return keys }
    let graph = viewContext.core.graph
    return keys.filter {
      content.pendingInsertions.contains($0)
        || graph.registeredObject(entity: entity.index, key: $0)?.isInserted == true
    }
  }
}

extension ListDifference {
  /// The known difference between lists that are not in memory, from the number of rows in each section.
  /// Added and removed rows are assumed at the ends of sections, and the objects of `changed` keys to have
  /// changed.
  ///
  /// O(keys that have been read + sections + added and removed rows).
  init(countsOf old: KeyList, _ new: KeyList, changed: Set<RowKey>) {
    self.init()
    let match = SectionMatch(old, new)
    compareSections(match)
    let gone = Set(deletedSections)
    let come = Set(insertedSections)
    deleted = gone.sorted().flatMap { old.places(ofSection: $0) }
    inserted = come.sorted().flatMap { new.places(ofSection: $0) }
    let pairs = zip(
      old.sections.indices.filter { !gone.contains($0) },
      new.sections.indices.filter { !come.contains($0) })
    for (before, after) in pairs {
      let (count, now) = (old.sections[before].count, new.sections[after].count)
      if now < count { deleted += old.places(ofSection: before).suffix(count - now) }
      if now > count { inserted += new.places(ofSection: after).suffix(now - count) }
    }
    deleted.sort()
    inserted.sort()
    updated = old.keys.readKeys.filter { changed.contains($0.key) }.map(\.place)
    if !deleted.isEmpty {
      let deleted = Set(deleted)
      updated.removeAll { deleted.contains($0) }
    }
  }
}

extension KeyList {
  fileprivate func places(ofSection section: Int) -> Range<Int> {
    starts[section]..<starts[section] + sections[section].count
  }
}
