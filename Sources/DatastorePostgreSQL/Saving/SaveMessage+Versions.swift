#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// Deletions that need no comparing: of rows that nobody has written since before they were read.
///
/// A row says which transaction has written it (`xmin`). Where that had ended at the moment that the page of the row
/// notes (`ReadMark`), the row is what was read then, and nothing of it has to travel. Where it had not, the row may have been
/// changed, or may be the same: the save fails, and the examination that follows compares.
extension SaveMessage {
  /// What is deleted of an entity.
  struct Deletions {
    /// By the moment since which nobody must have written them.
    var versioned: [(mark: ReadMark, deleted: [RowDeletion])] = []
    /// To be compared, as far as they were read.
    var others: [RowDeletion] = []
  }

  /// What is deleted, entities that refer to others before those: deleting a row empties references to it, and writes the
  /// rows that have them.
  func deletions(_ changes: ChangeSet, trustingVersions trusts: Bool) throws -> [(
    entity: EntityIndex, Deletions
  )] {
    guard trusts, changes.entities.contains(where: { $0.deleted.count >= ReadMark.leastRows })
    else {
      return changes.entities.map { ($0.entity, Deletions(others: $0.deleted)) }
    }
    var before: Set<EntityIndex> = []
    return mapping.insertionOrder(changes.entities).reversed().compactMap { change in
      if change.deleted.isEmpty { return nil }
      defer { before.insert(change.entity) }
      let destinations = mapping.toOnes(of: change.entity).map(\.foreign.destination)
      if destinations.contains(where: { contains(before, $0) }) {
        return (change.entity, Deletions(others: change.deleted))
      }
      var deletions = split(change)
      // One statement writes no row that it has deleted; two can.
      let isOne =
        deletions.others.isEmpty && deletions.versioned.count == 1
        && change.deleted.count <= Self.portion
      if !isOne, destinations.contains(where: { contains([change.entity], $0) }) {
        deletions = Deletions(others: change.deleted)
      }
      return (change.entity, deletions)
    }
  }

  private func split(_ change: EntityChanges) -> Deletions {
    var groups: [(mark: ReadMark, deleted: [RowDeletion])] = []
    var places: [ReadMark: Int] = [:]
    var deletions = Deletions()
    // Rows of one page, and of pages that were read together, mostly follow each other.
    var last: (page: RowPage?, group: Int) = (nil, 0)
    for deletion in change.deleted {
      if let page = last.page, page === deletion.original {
        groups[last.group].deleted.append(deletion)
        continue
      }
      guard let page = deletion.original, let mark = page.readMark else {
        deletions.others.append(deletion)
        continue
      }
      last = (page, places[mark] ?? groups.count)
      if last.group == groups.count {
        groups.append((mark, []))
        places[mark] = last.group
      }
      groups[last.group].deleted.append(deletion)
    }
    for group in groups {
      if group.deleted.count >= ReadMark.leastRows {
        deletions.versioned.append(group)
      } else {
        deletions.others += group.deleted
      }
    }
    return deletions
  }

  /// Deletes rows that nobody has written since a moment.
  mutating func delete(
    _ entity: EntityIndex, _ deleted: [RowDeletion], unwrittenSince mark: ReadMark
  ) throws {
    guard case .rowid(let name) = mapping.entities[entity].key else {
      trap("keys in tables of our own are numbers")
    }
    usesVersions = true
    add(
      "SELECT 1 / (CASE WHEN \(isOtherHistory(entity)) THEN 0 ELSE 1 END)",
      [.int8(mark.run), .int8(Int64(bitPattern: mark.transaction))], entity, asserting: .unchanged)
    // Looked at while the rows are found, which costs nothing; answers with a row for each cost a third of the deletion. Where
    // the whole table is read, rows that are not listed must not count.
    let key: SQLFragment = "stored.\(name: name)"
    // Rows that were read have no other key than that.
    let keys = deleted.map(\.key.rawValue).sorted()
    let number = PostgreSQLParameter.text(String(UInt32(truncatingIfNeeded: mark.transaction)))
    for portion in keys.portions(of: Self.portion) {
      add(
        """
        DELETE FROM \(table(entity)) AS stored WHERE \(key) = ANY($1) \
        AND CASE WHEN stored.xmin <> '0'::xid AND age(stored.xmin) > (SELECT age($2::text::xid)) THEN TRUE \
        WHEN \(key) = ANY($1) THEN 1 / (\(key) - \(key)) = 0 ELSE FALSE END
        """, [.int8Array(portion), number], entity, asserting: .unchanged)
    }
  }

  /// Whether numbers of transactions in the rows of a table are not those of the moment: of another server, of the same one
  /// after a crash that may have lost some, so long ago that numbers come again, or of rows that are kept elsewhere or in
  /// another way.
  private func isOtherHistory(_ entity: EntityIndex) -> SQLFragment {
    """
    (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::int8 <> $1 \
    OR pg_current_xact_id()::text::int8 - $2 > 1000000000 \
    OR to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL \
    OR NOT EXISTS (SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_am ON pg_am.oid = relam \
    WHERE pg_class.oid = \(literal: Quoting.sqlName(mapping.entities[entity].table))::regclass \
    AND relkind = 'r' AND amname = 'heap')
    """
  }
}
#endif
