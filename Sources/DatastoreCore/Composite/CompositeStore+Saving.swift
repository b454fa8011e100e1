import Foundation

/// Saves, each of which writes to the stores that hold the changed rows.
///
/// A save to several stores is nested: the first store begins its transaction and writes, inside of that the
/// second one does, and so on; then the last one commits, and back to the first. A fault in any store before
/// the first commit thus rolls back all of them. Between two commits is a moment that SQLite cannot remove:
/// if the program is killed there, only some of the stores have the save, and `incompleteSaves()` reports it.
extension CompositeStore {
  package func save(
    _ changes: ChangeSet, unless isCancelled: (@Sendable () -> Bool)?
  ) throws -> SaveResult {
    let shares = try shares(of: changes)
    guard shares.count > 1 else {
      guard let share = shares.first else { return SaveResult() }
      let shift = share.part.shift
      return try shift.telling {
        shift.shared(try share.part.store.save(share.changes, unless: isCancelled))
      }
    }
    let run = JointRun(shares, try nextMultiStoreCommit(of: shares.map(\.part)), isCancelled)
    return try run.save()
  }

  /// The changes for each store, in the order in which they begin.
  ///
  /// - Throws: `StoreError.noStore`.
  private func shares(of changes: ChangeSet) throws -> [JointRun.Share] {
    let all = all
    var counts = ByEntity(repeating: 0, count: schema.entities.count)
    for part in all { for entity in part.entities { counts[entity] += 1 } }
    for entity in changes.writtenEntities where counts[entity] == 0 {
      throw schema.noStore(of: entity)
    }
    return all.compactMap { part in
      var holders = ByEntity(repeating: 0, count: schema.entities.count)
      for entity in part.entities { holders[entity] = counts[entity] }
      let own = part.shift.share(of: changes, holders: holders)
      return own.isEmpty ? nil : JointRun.Share(part: part, changes: own)
    }
  }

  /// - Throws: `StoreError` when a store cannot be read.
  private func nextMultiStoreCommit(of parts: [Part]) throws -> MultiStoreCommit {
    // Stores in memory record nothing: they no longer exist when anyone looks.
    let files = parts.filter { $0.store.url != nil }
    var number = 0
    for part in files {
      number = try part.store.multiStoreCommits().values.reduce(number) { max($0, $1.number) }
    }
    return MultiStoreCommit(
      MultiStoreCommit.Mark(number: number + 1, id: UUID().uuidString),
      in: Set(try files.compactMap { try $0.store.storeUUID() }))
  }

  /// The pairs of files of which one has a save to both that the other one lacks: left behind by a program
  /// that ended between two commits, by a loss of power, or by a file that was restored from a backup.
  ///
  /// - Throws: `StoreError` when a store cannot be read.
  package func incompleteSaves() throws -> [IncompleteSave] {
    var recorded: [(url: URL, uuid: String, marks: [String: MultiStoreCommit.Mark])] = []
    for part in all {
      guard let url = part.store.url, let uuid = try part.store.storeUUID() else { continue }
      recorded.append((url, uuid, try part.store.multiStoreCommits()))
    }
    var found: [IncompleteSave] = []
    for (place, one) in recorded.enumerated() {
      for other in recorded[(place + 1)...] {
        let (mine, theirs) = (one.marks[other.uuid], other.marks[one.uuid])
        if mine == theirs { continue }
        let isOlder = mine?.number ?? 0 < theirs?.number ?? 0
        found.append(
          IncompleteSave(
            file: isOlder ? other.url : one.url, lacking: isOlder ? one.url : other.url,
            isKnown: mine?.number != theirs?.number))
      }
    }
    return found
  }
}

extension ChangeSet {
  fileprivate var writtenEntities: Set<EntityIndex> {
    Set(entities.map(\.entity) + links.map(\.entity) + orders.map(\.entity))
  }
}
