/// Rows that have come to have other keys, by root entity.
package struct KeyChange: Sendable {
  /// Old keys to new ones.
  let keys: [EntityIndex: [RowKey: RowKey]]
  /// The old keys that are those of someone else's rows now.
  let taken: [EntityIndex: [RowKey]]
}

/// All such changes of one graph, which are few: another program has to take a key between the making of an object and
/// its save. Any thread.
package final class KeyChangeLog: Sendable {
  private let changes = Lock<[KeyChange]>([])

  package var count: Int { changes.withLock { $0.count } }

  func note(_ change: KeyChange) { changes.withLock { $0.append(change) } }

  /// Those that came after so many.
  package func all(since count: Int) -> [KeyChange] {
    changes.withLock { Array($0.dropFirst(count)) }
  }
}
