import Basics

/// A store that takes part in saves to several stores.
///
/// SQLite cannot commit in several files at once. So each file records an identifier of such a save in its
/// transaction: if two files have recorded different ones for each other, one of them has a save that the
/// other lacks.
package protocol JointStore: ObjectStore {
  /// Writes changes in a transaction that is committed after `commitOthers` has returned.
  ///
  /// Everything that may fail is done before: constraints are checked, and the pages are on their way to the
  /// disk. Only the commit itself remains.
  ///
  /// - Parameters:
  ///   - joint: the record of the save.
  ///   - isCancelled: called again and again while rows are written.
  ///   - commitOthers: writes and commits in the other stores. Must not use this one.
  /// - Throws: `ConflictError`, `StoreError`, the errors of `commitOthers`; nothing is written here then.
  func save(
    _ changes: ChangeSet, as joint: MultiStoreCommit, unless isCancelled: (@Sendable () -> Bool)?,
    commitOthers: () throws -> Void
  ) throws -> SaveResult

  /// The last saves that were committed here together with other stores, by the UUIDs of these stores.
  ///
  /// - Throws: `StoreError`.
  func multiStoreCommits() throws -> [String: MultiStoreCommit.Mark]
}

/// One save to several stores.
package struct MultiStoreCommit: Sendable {
  /// The identifier of the save.
  package struct Mark: Sendable, Hashable {
    /// Greater than the numbers of all earlier saves recorded in its stores.
    package let number: Int
    /// Unique for each save.
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
  /// Reads the form of `text`.
  package init?(_ text: String) {
    let parts = text.words()
    guard parts.count == 2, let number = Int(parts[0]) else { return nil }
    self.init(number: number, id: String(parts[1]))
  }

  /// The form recorded in a file.
  package var text: String { "\(number) \(id)" }
}
