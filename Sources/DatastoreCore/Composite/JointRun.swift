/// A save to several stores in progress.
///
/// Belongs to the thread that saves.
final class JointRun {
  /// The changes for one store.
  struct Share {
    let part: CompositeStore.Part
    let changes: ChangeSet
  }

  /// Ends a transaction that was begun only to find out whether it would meet conflicts.
  private struct GivenUp: Error {}

  /// The error of another store, which already refers to its objects by shared keys.
  private struct InOthers: Error {
    let error: any Error
  }

  private let shares: [Share]
  private let joint: MultiStoreCommit
  private let isCancelled: (@Sendable () -> Bool)?
  private var result = SaveResult()
  /// The names of the stores in which the save is committed.
  private var committed: [String] = []

  init(_ shares: [Share], _ joint: MultiStoreCommit, _ isCancelled: (@Sendable () -> Bool)?) {
    self.shares = shares
    self.joint = joint
    self.isCancelled = isCancelled
  }

  /// - Throws: `ConflictError` with the conflicts in all stores, `StoreError`, `CancellationError`; nothing
  ///   is written then, except with `StoreError.savedInPart`.
  func save() throws -> SaveResult {
    do {
      try save(shares[...])
      return result
    } catch {
      guard !committed.isEmpty else { throw error }
      let unsaved = shares.map(\.part.name).filter { !committed.contains($0) }
      throw StoreError.savedInPart(saved: committed, unsaved: unsaved, reason: "\(error)")
    }
  }

  private func save(_ rest: ArraySlice<Share>) throws {
    guard let share = rest.first else { return }
    let others = rest.dropFirst()
    var isWritten = false
    do {
      let shift = share.part.shift
      let saved = try shift.telling {
        try share.part.store.save(share.changes, as: joint, unless: isCancelled) {
          isWritten = true
          do { try save(others) } catch { throw InOthers(error: error) }
        }
      }
      committed.append(share.part.name)
      result.formUnion(shift.shared(saved))
    } catch let others as InOthers {
      throw others.error
    } catch let error as ConflictError where !isWritten {
      // Settling needs all conflicts at once.
      throw ConflictError(conflicts: error.conflicts + conflicts(in: others))
    }
  }

  private func conflicts(in rest: ArraySlice<Share>) -> [Conflict] {
    rest.flatMap { share -> [Conflict] in
      do {
        _ = try share.part.shift.telling {
          try share.part.store.save(share.changes, as: joint, unless: isCancelled) {
            throw GivenUp()
          }
        }
      } catch let error as ConflictError {
        return error.conflicts
      } catch {
        // The first error is the one to report.
      }
      return []
    }
  }
}

extension SaveResult {
  /// Adds the answer of another store, which holds other rows.
  fileprivate mutating func formUnion(_ other: SaveResult) {
    rekeyed.merge(other.rekeyed) { $0.merging($1) { first, _ in first } }
    taken.merge(other.taken, uniquingKeysWith: +)
    stale.merge(other.stale, uniquingKeysWith: +)
    moved.merge(other.moved) { $0.merging($1) { first, _ in first } }
    sideChanges.formUnion(other.sideChanges)
  }
}
