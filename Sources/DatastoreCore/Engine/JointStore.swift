import Basics

/// A store that takes part in saves over several.
///
/// SQLite cannot commit in several files at once. So each file records, in the transaction of such a save,
/// which one it was: where two files have recorded different ones for each other, one of them has a save that
/// the other lacks.
package protocol JointStore: ObjectStore {
  /// Writes changes in a transaction that is committed when `commitOthers` has returned.
  ///
  /// All that may fail is done before: constraints are checked, and the pages are on their way to the disk.
  /// What remains is the commit itself.
  ///
  /// - Parameters:
  ///   - joint: what is recorded of the save.
  ///   - isCancelled: asked again and again while rows are written.
  ///   - commitOthers: writes and commits in the other stores. Must not use this one.
  /// - Throws: `ConflictError`, `StoreError`, what `commitOthers` throws; nothing is written here then.
  func save(
    _ changes: ChangeSet, as joint: MultiStoreCommit, unless isCancelled: (@Sendable () -> Bool)?,
    commitOthers: () throws -> Void
  ) throws -> SaveResult

  /// The last saves that were committed here together with other stores, by the UUIDs of these.
  ///
  /// - Throws: `StoreError`.
  func multiStoreCommits() throws -> [String: MultiStoreCommit.Mark]
}

/// One save over several stores.
package struct MultiStoreCommit: Sendable {
  /// Which save it was.
  package struct Mark: Sendable, Hashable {
    /// Greater than those of all saves that its stores had recorded before.
    package let number: Int
    /// Different for each save.
    package let id: String

    package init(number: Int, id: String) {
      self.number = number
      self.id = id
    }
  }

  package let mark: Mark
  /// The UUIDs of the stores that record it.
  package let stores: Set<String>

  package init(_ mark: Mark, in stores: Set<String>) {
    self.mark = mark
    self.stores = stores
  }
}

extension MultiStoreCommit.Mark {
  /// Reads what `text` has written.
  package init?(_ text: String) {
    let parts = text.words()
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    self.init(number: number, id: String(parts[1]))
  }

  /// The form in which a file records it.
  package var text: String { "\(number) \(id)" }
}
