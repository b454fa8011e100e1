import DatastoreCore

extension MigratedValues {
  /// The rows of one old family as rows of a new one.
  func copy(_ feed: FormerTables.Feed) -> RowCopy {
    let root = after.schema.entities[feed.newRoot]
    let table = after.entities[root.index]
    let old = mapping.entities[feed.oldRoot]
    var values: [String: [(old: EntityIndex, value: SQLFragment)]] = [:]
    for (former, index) in feed.members {
      let entity = after.schema.entities[index]
      for slot in entity.slots {
        switch after.entities[index].slots[slot] {
        case .attribute(let column):
          values[column.name, default: []].append((former, attribute(slot, of: entity).value))
        case .toOne(let key):
          values[key.names[0], default: []].append((former, toOne(slot, of: entity)))
        case .toManyForeignKey, .toManyJoin: continue
        }
      }
      if let family = table.family {
        values[family.discriminator, default: []].append((former, self.name(of: entity, former)))
      }
    }
    var single: [String: SQLFragment] = [:]
    for (name, found) in values { single[name] = value(of: name, found, feed) }
    single[table.keyColumn] = shifted(
      column(old.keyColumn), by: offsets[feed.oldRoot, feed.newRoot])
    for owner in after.schema.entities {
      for link in owner.links.compactMap(\.self)
      where link.entity == owner.index && after.schema.entities[link.destination].root == root.index
      {
        guard case .toManyForeignKey(_, let order?) = after.entities[owner.index].slots[link.slot]
        else { continue }
        single[order] = self.order(of: link, inRowsOf: feed.oldRoot)
      }
    }
    let columns = NativeTables(mapping: after).definitions(of: root).map(\.leadingName)
    return RowCopy(
      entity: root.name, source: old.table, rangeColumn: old.keyColumn, columns: columns,
      values: columns.map { single[$0] ?? "NULL" },
      condition: condition(feed.members.map(\.old), oldRoot: feed.oldRoot))
  }

  /// The entity name of a row.
  private func name(of entity: Entity, _ former: EntityIndex) -> SQLFragment {
    let isSame = mapping.schema.entities[former].name == entity.name
    if isSame, let family = mapping.entities[former].family {
      return column(family.discriminator)
    }
    return "\(literal: entity.name)"
  }

  /// The value of a column that only some entities of a family have: for the others it is empty in the old
  /// table and in the new one.
  private func value(
    of name: String, _ found: [(old: EntityIndex, value: SQLFragment)], _ feed: FormerTables.Feed
  ) -> SQLFragment {
    let column = self.column(name)
    let others = feed.members.map(\.old).filter { old in !found.contains { $0.old == old } }
    if found.allSatisfy({ $0.value == column }), others.allSatisfy({ !has(name, $0) }) {
      return column
    }
    return combined(
      feed.members.map { member in
        (member.old, found.first { $0.old == member.old }?.value ?? "NULL")
      })
  }

  /// Whether an old entity uses a column.
  private func has(_ name: String, _ entity: EntityIndex) -> Bool {
    mapping.entities[entity].slots.contains { $0.columns.first?.name == name }
  }

  /// The pairs of old relationships as pairs of a new table.
  func copies(_ pairs: NativeJoin) -> [RowCopy] {
    let join = pairs.join
    let formers = difference.formerRelationships(pairs.link)
    return formers.flatMap { relationship -> [RowCopy] in
      let former = FormerPairs(relationship, in: mapping)
      let one = copy(former, pairs, isOneOfSeveral: formers.count > 1)
      // A pair that counted in both directions becomes two.
      guard former.isSymmetric, !join.isSymmetric else { return [one] }
      return [one, copy(former.reversed, pairs, isOneOfSeveral: true)]
    }
  }

  private func copy(
    _ former: FormerPairs, _ pairs: NativeJoin, isOneOfSeveral: Bool
  ) -> RowCopy {
    let join = pairs.join
    let owner = after.schema.entities[pairs.link.entity]
    let destination = after.schema.entities[pairs.link.destination]
    var own = shifted(column(former.own), by: offsets[former.ownRoot, owner.root])
    var other = shifted(column(former.other), by: offsets[former.otherRoot, destination.root])
    let becomesSymmetric = join.isSymmetric && !former.isSymmetric
    if becomesSymmetric {
      let isOrdered: SQLFragment = "\(own) <= \(other)"
      (own, other) = (
        "CASE WHEN \(isOrdered) THEN \(own) ELSE \(other) END",
        "CASE WHEN \(isOrdered) THEN \(other) ELSE \(own) END"
      )
    }
    var columns = [join.ownColumns[0], join.otherColumns[0]]
    var values = [own, other]
    for (name, order) in [
      (join.orderColumn, former.ownOrder), (join.otherOrderColumn, former.otherOrder),
    ] {
      guard let name, let order else { continue }
      columns.append(name)
      values.append(column(order))
    }
    var conditions: [SQLFragment] = former.isJoin ? [] : [former.isPair("s")]
    for (key, oldRoot, newRoot) in [
      (former.own, former.ownRoot, owner.root), (former.other, former.otherRoot, destination.root),
    ] {
      if let isKept = isKept(column(key), oldRoot, newRoot) { conditions.append(isKept) }
    }
    let holder = mapping.entities.first { $0.table == former.table }
    let range = former.isJoin ? former.own : holder?.keyColumn ?? former.own
    return RowCopy(
      entity: "\(owner.name).\(pairs.link.description.name)", source: former.table,
      rangeColumn: range, columns: columns, values: values,
      condition: conditions.isEmpty ? nil : conditions.joined(by: " AND "),
      skipsPresent: becomesSymmetric || isOneOfSeveral)
  }

  /// The condition that a key belongs to an object that goes into a new table; nil if all objects do.
  func isKept(_ key: SQLFragment, _ oldRoot: EntityIndex, _ newRoot: EntityIndex) -> SQLFragment? {
    let members = mapping.schema.entities[oldRoot].members.filter { member in
      guard let later = difference.laterEntities[member] else { return false }
      return after.schema.entities[later].root == newRoot
    }
    let concrete = members.filter { !mapping.schema.entities[$0].isAbstract }
    guard let condition = condition(concrete, oldRoot: oldRoot) else { return nil }
    let table = mapping.entities[oldRoot]
    return """
      \(key) IN (SELECT s.\(name: table.keyColumn) FROM \(name: table.table) AS s WHERE \(condition))
      """
  }
}
