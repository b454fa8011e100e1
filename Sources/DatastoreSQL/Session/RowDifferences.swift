import Basics
package import DatastoreCore

/// The changes of a database's rows since they were copied.
extension DifferencesQuestion: RenderedQuestion {
  static let noKey = "nothing but their values distinguishes its rows"

  package func answer(in session: some SQLSession) throws -> StoreDifferences {
    guard let copies = baseline as? RowCopies else {
      trap("a baseline is asked for by the engine that has made it")
    }
    let former = FormerRows(copies, session.mapping)
    var differences = StoreDifferences()
    var pairs: Set<String> = []
    for entity in session.mapping.comparedEntities {
      var part = StoreDifferences.Part(entity: entity.index)
      try compareRows(of: entity, former, session, &part, &differences)
      for (join, link) in session.mapping.joins(of: entity)
      where pairs.insert(join.comparedName).inserted {
        try compareMembers(join, link, former, session, &part, &differences)
      }
      if part.count > 0 { differences.parts.append(part) }
    }
    return differences
  }

  /// Compares the rows of a table, or records the reason why that cannot be done.
  private func compareRows(
    of entity: Entity, _ former: FormerRows, _ session: some SQLSession,
    _ part: inout StoreDifferences.Part, _ differences: inout StoreDifferences
  ) throws {
    let mapped = session.mapping.entities[entity.index]
    var pages: [RowPage] = []
    switch mapped.key == .wholeRow
      ? .nothing(Self.noKey) : former.copies.tables[mapped.comparedName]
    {
    case .nothing(let reason): return differences.leftOut.append((mapped.table, reason))
    case .kept(let kept):
      guard former.hasKey(of: entity) else {
        return differences.leftOut.append((mapped.table, "its rows have another key now"))
      }
      pages = kept
    // A table that did not exist has no former rows.
    case nil: break
    }
    var rest = try former.rows(pages, of: entity)
    var told: [StagedObject.Kind: [StagedObject]] = [:]
    func tell(_ kind: StagedObject.Kind, _ object: () throws -> StagedObject) rethrows {
      if told[kind]?.count ?? 0 < limit { try told[kind, default: []].append(object()) }
    }
    try session.forEachPage(of: entity) { page in
      for row in 0..<page.rowCount {
        let new = RowReference(page, row)
        let old = rest.removeValue(forKey: new.key)
        if let old {
          guard try former.isChanged(old, new, of: entity) else { continue }
          part.updated += 1
        } else {
          part.inserted += 1
        }
        try tell(old == nil ? .inserted : .updated) {
          try former.object(of: entity, old: old, new: new)
        }
      }
    }
    part.deleted = rest.count
    for (_, old) in rest.sorted(by: { $0.key < $1.key }).prefix(limit) {
      try tell(.deleted) { try former.object(of: entity, old: old, new: nil) }
    }
    let kinds: [StagedObject.Kind] = [.inserted, .updated, .deleted]
    part.objects = kinds.flatMap { told[$0] ?? [] }
  }

  /// Adds the added and removed pairs of a join table as member changes of the objects of its first side.
  private func compareMembers(
    _ join: JoinTable, _ link: RelationshipLink, _ former: FormerRows, _ session: some SQLSession,
    _ part: inout StoreDifferences.Part, _ differences: inout StoreDifferences
  ) throws {
    var old: Set<RowCopies.Pair> = []
    switch former.copies.pairs[join.comparedName] {
    case .nothing(let reason): return differences.leftOut.append((join.table, reason))
    case .kept(let pairs):
      old = Set(
        try pairs.map {
          RowCopies.Pair(
            owner: try former.key($0.owner, link.entity),
            member: try former.key($0.member, link.destination))
        })
    case nil: break
    }
    let new = Set(try session.pairs(of: link))
    let added = Dictionary(grouping: new.subtracting(old), by: \.owner)
    let removed = Dictionary(grouping: old.subtracting(new), by: \.owner)
    for owner in Set(added.keys).union(removed.keys).sorted() {
      let change = StagedObject.MemberChange(
        slot: link.slot, added: (added[owner] ?? []).map(\.member).sorted(),
        removed: (removed[owner] ?? []).map(\.member).sorted(), order: nil)
      if let place = part.objects.firstIndex(where: { $0.key == owner }) {
        part.objects[place].members.append(change)
      } else {
        part.updated += 1
        guard part.objects.count < 3 * limit else { continue }
        part.objects.append(
          StagedObject(
            entity: link.entity, key: owner, kind: .updated, changes: [], members: [change],
            row: []))
      }
    }
  }
}
