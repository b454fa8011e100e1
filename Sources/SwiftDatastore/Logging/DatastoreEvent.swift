public import DatastoreCore

/// Something that a datastore did, as a `DatastoreLogger` receives it.
public struct DatastoreEvent: Sendable {
  /// The importance of an event.
  public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Frequent events: reading and merging.
    case trace
    /// Changes of the file.
    case notice
    /// Deviations from a request that were settled.
    case warning
    /// Failures.
    case error

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The kind of an event.
  @nonexhaustive
  public enum Kind: Sendable {
    /// The file was opened, or created.
    case opened
    /// The file was migrated to another version of the model.
    case migrated(MigrationRecord)
    /// Objects, identifiers, a count or rows were read. The query is in the format language, without its
    /// values if it is the engine's.
    case fetched(query: String, rows: Int)
    /// Faults were read. If there are many single ones, use `prefetching`.
    case faulted(entity: String, rows: Int)
    /// A context has saved.
    case saved(inserted: Int, updated: Int, deleted: Int, author: String?)
    /// Many rows were changed without objects.
    case changedMany(rows: Int?, author: String?)
    /// A context has merged a write of someone else; nil if anything may have changed.
    case merged(rows: Int?, source: ChangeSource)
    /// A save conflicted with changes of someone else, which were settled by the policy, or thrown with
    /// `.error`.
    case conflict(ConflictError, policy: MergePolicy)
    /// A transaction runs again because someone else has changed the same properties.
    case retried(attempt: Int, ConflictError)
    /// Another process has written the store.
    case changedByOtherProcess
    /// One of several stores lacks a save that another one has.
    case foundIncompleteSave(IncompleteSave)
    /// An operation has failed.
    case failed(Operation, any Error)
  }

  /// The operation that failed.
  @nonexhaustive
  public enum Operation: String, Sendable, Hashable {
    /// A value of an object was read.
    case readingValue = "A value could not be read"
    /// A list that had changed was read again.
    case refetchingList = "A list could not be read again"
    /// A context was saved.
    case saving = "Changes could not be saved"
    /// Old entries of the log of changes were removed.
    case tidying = "Old rows of the log of changes could not be removed"
  }

  /// The importance.
  public let level: Level
  /// The kind.
  public let kind: Kind
  /// The file; nil for a store in memory.
  public let path: String?
  /// The time it took; nil if the event has no duration.
  public let duration: Duration?
}

extension DatastoreEvent: CustomStringConvertible {
  /// A sentence without the level and the file: `Saved 2 new, 1 changed and 0 deleted objects in 0.8 ms.`
  public var description: String {
    let time = duration.map { " in \($0.formatted)" } ?? ""
    switch kind {
    case .opened: return "Opened \(path ?? "a store in memory")\(time)."
    case .migrated(let record):
      let rows = record.rows.values.reduce(0, +)
      return "Migrated \(record.fromVersion ?? "an older version") to "
        + "\(record.toVersion ?? "the model"), \(rows) rows\(time)."
    case .fetched(let query, let rows): return "Read \(rows) rows\(time): \(query)."
    case .faulted(let entity, let rows): return "Read \(rows) faults of \(entity)."
    case .saved(let inserted, let updated, let deleted, let author):
      return "Saved \(inserted) new, \(updated) changed and \(deleted) deleted objects"
        + "\(Self.by(author))\(time)."
    case .changedMany(let rows, let author):
      return "Changed \(rows.map(String.init) ?? "any number of") rows at once"
        + "\(Self.by(author))\(time)."
    case .merged(let rows, let source):
      return "Took in \(rows.map { "\($0) rows" } ?? "any change") of \(Self.name(source))\(time)."
    case .conflict(let error, let policy):
      return policy == .error ? "\(error)" : "Settled by \(policy): \(error)"
    case .retried(let attempt, let error):
      return "A transaction runs again (\(attempt)): \(error)"
    case .changedByOtherProcess: return "Another process has written the store."
    case .foundIncompleteSave(let save): return save.description
    case .failed(let operation, let error): return "\(operation.rawValue): \(error)"
    }
  }

  private static func by(_ author: String?) -> String { author.map { " by \($0)" } ?? "" }

  private static func name(_ source: ChangeSource) -> String {
    switch source {
    case .thisContext: "this context"
    case .otherContext(let author, _): author ?? "another context"
    case .otherProcess: "another process"
    }
  }
}

extension Duration {
  /// In milliseconds: `0.8 ms`.
  fileprivate var formatted: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}
