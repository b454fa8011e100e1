import Basics
package import DatastoreCore

/// Reading, comparing and following keys of every kind.
extension QueryBuilder {
  package func column(_ alias: String, _ column: String) -> SQLFragment {
    "\(name: alias).\(name: column)"
  }

  /// A column with its known type.
  func column(_ alias: String, _ column: Column) -> SQLFragment {
    var value = self.column(alias, column.name)
    if let folder = column.externalFolder {
      value = "datastore_external(\(value), \(literal: folder))"
    }
    value.type = column.type
    if !column.isNullable { value.type?.mayBeNull = false }
    return value
  }

  /// The `Int64` key of the row.
  package func key(_ entity: EntityIndex, _ alias: String) -> SQLFragment {
    let mapped = mapping.entities[entity]
    switch mapped.key {
    case .rowid(let name): return column(alias, name).typed(.key)
    case .columns(let names):
      return dialect.internedKey(entity, names.map { typedColumn($0, of: entity, alias) })
    case .wholeRow:
      return dialect.internedKey(
        entity, mapped.allColumns.map { typedColumn($0, of: entity, alias) })
    }
  }

  /// A column by its name, with its type if a slot is stored in it.
  func typedColumn(
    _ name: String, of entity: EntityIndex, _ alias: String
  ) -> SQLFragment {
    for slot in mapping.entities[entity].slots {
      switch slot {
      case .attribute(let column) where column.name.isExactly(name):
        return self.column(alias, column)
      case .toOne(let foreign):
        if let column = foreign.columns.first(where: { $0.name.isExactly(name) }) {
          return self.column(alias, column)
        }
      default: continue
      }
    }
    return column(alias, name)
  }

  /// The condition that the row has a key; uses its index.
  package func isRow(_ entity: EntityIndex, _ alias: String, key: SQLFragment) -> SQLFragment {
    switch mapping.entities[entity].key {
    case .rowid(let name): return "\(column(alias, name)) = \(key)"
    case .columns(let names):
      return names.enumerated().map { index, name in
        "\(column(alias, name)) = \(dialect.keyValue(entity, key, index))" as SQLFragment
      }.joined(by: " AND ")
    case .wholeRow: return "\(self.key(entity, alias)) = \(key)"
    }
  }

  /// The values in columns that refer to the row with a key.
  package func referencedValues(
    _ entity: EntityIndex, _ reference: KeyReference, key: SQLFragment
  ) -> [SQLFragment] {
    switch reference {
    case .rowid: return [key]
    case .primaryKey:
      guard case .columns(let names) = mapping.entities[entity].key else {
        trap("only keys of columns are referenced as primary keys")
      }
      return names.indices.map { dialect.keyValue(entity, key, $0) }
    case .columns(let names):
      return names.map { name in
        let alias = makeAlias()
        return """
          (SELECT \(column(alias, name)) FROM \(table(entity, beside: alias)) \
          WHERE \(isRow(entity, alias, key: key)))
          """
      }
    }
  }

  /// The columns of a row with which references to it are compared, on the left, so that their affinity and
  /// collation decide as in foreign key constraints.
  private func referencedColumns(
    _ entity: EntityIndex, _ alias: String, _ reference: KeyReference
  ) -> [SQLFragment] {
    switch (reference, mapping.entities[entity].key) {
    case (.columns(let names), _): names.map { column(alias, $0) }
    case (_, .rowid(let name)): [column(alias, name)]
    case (_, .columns(let names)): names.map { column(alias, $0) }
    case (_, .wholeRow): trap("nothing refers to rows without keys")
    }
  }

  /// The key of a reference stored in columns; NULL when there is none.
  func referencedKey(
    _ entity: EntityIndex, _ reference: KeyReference, columns: [Column], of alias: String
  ) -> SQLFragment {
    let values = columns.map { column(alias, $0) }
    switch reference {
    case .rowid: return values[0].typed(SQLType(.integer))
    case .primaryKey:
      return dialect.internedKey(entity, values)
    case .columns:
      let target = makeAlias()
      let key = key(entity, target)
      let values = referring(values, in: columns, to: entity, reference)
      let found: SQLFragment = """
        (SELECT \(key) FROM \(table(entity, beside: target)) \
        WHERE \(matches(entity, target, reference, values)))
        """
      return found.typed(key.type)
    }
  }

  /// The values in columns of a reference, to be compared with the columns that they refer to: as in foreign
  /// key constraints, these convert them, and not the other way round.
  func referring(
    _ values: [SQLFragment], in columns: [Column], to entity: EntityIndex,
    _ reference: KeyReference
  ) -> [SQLFragment] {
    guard case .columns(let names) = reference else { return values }
    return values.indices.map { index in
      let parent = mapping.entities[entity].slots.flatMap(\.columns)
        .first { $0.name.isExactly(names[index]) }?.affinity
      let own = columns[index].affinity
      let convertsParent = parent == .blob ? own != .blob : parent == .text && own.isNumeric
      return convertsParent ? dialect.untyped(values[index]) : values[index]
    }
  }

  /// The condition that values are a reference to the row.
  package func matches(
    _ entity: EntityIndex, _ alias: String, _ reference: KeyReference, _ values: [SQLFragment]
  ) -> SQLFragment {
    zip(referencedColumns(entity, alias, reference), values).map {
      "\($0) = \($1)" as SQLFragment
    }.joined(by: " AND ")
  }

  /// The key of a to-one relationship, or one for the stored value if it leads nowhere. A rowid is the stored
  /// value, which may also be something other than an integer.
  package func toOneKey(_ foreign: ForeignKey, _ alias: String) -> SQLFragment {
    let key = referencedKey(
      foreign.destination, foreign.reference, columns: foreign.columns, of: alias)
    guard case .columns = foreign.reference else { return key }
    let dangling = dialect.danglingKey(foreign.names.map { column(alias, $0) })
    return ("coalesce(\(key), \(dangling))" as SQLFragment).typed(key.type)
  }

  /// The values for the columns of a relationship to the row with a key; for a key of a dangling reference,
  /// the stored values.
  package func storedValues(_ foreign: ForeignKey, key: SQLFragment) -> [SQLFragment] {
    let values = referencedValues(foreign.destination, foreign.reference, key: key)
    if mapping.isNative || foreign.reference == .primaryKey { return values }
    return values.enumerated().map { index, value in
      "coalesce(\(dialect.danglingValue(key, index)), \(value))"
    }
  }

  /// The condition that a row of the destination belongs to a to-many relationship, with the join table, if
  /// there is one, under `joinAlias`.
  ///
  /// - Parameter owner: the owner's row by its alias, or only its key.
  package func isRelated(
    _ link: RelationshipLink, owner: RelationOwner, destination alias: String, joinAlias: String
  ) -> SQLFragment {
    switch mapping.entities[link.entity].slots[link.slot] {
    case .toManyForeignKey(let inverseSlot, _):
      guard case .toOne(let foreign) = mapping.entities[link.destination].slots[inverseSlot]
      else { trap("the inverse of a one-to-many relationship is to-one") }
      let columns = referring(
        foreign.names.map { column(alias, $0) }, in: foreign.columns, to: link.entity,
        foreign.reference)
      return refers(columns, to: link.entity, foreign.reference, owner: owner)
    case .toManyJoin(let join):
      let other = join.otherColumns.map { column(joinAlias, $0) }
      return
        refers(
          join.ownColumns.map { column(joinAlias, $0) }, to: link.entity, join.ownReference,
          owner: owner)
        + " AND " + matches(link.destination, alias, join.otherReference, other)
    case .attribute, .toOne:
      trap("\(link.description.name) leads to one object")
    }
  }

  private func isBinary(_ entity: EntityIndex, _ name: String) -> Bool {
    mapping.entities[entity].slots.allSatisfy { slot in
      slot.columns.allSatisfy { !$0.name.isExactly(name) || $0.isBinary }
    }
  }

  /// The condition that columns refer to the owner.
  package func refers(
    _ columns: [SQLFragment], to entity: EntityIndex, _ reference: KeyReference,
    owner: RelationOwner
  ) -> SQLFragment {
    switch owner {
    case .row(let alias): return matches(entity, alias, reference, columns)
    case .key(let key):
      if case .columns(let names) = reference, !names.allSatisfy({ isBinary(entity, $0) }) {
        // The collation of the referenced column decides, and only a column carries it.
        let alias = makeAlias()
        return """
          EXISTS (SELECT 1 FROM \(table(entity, beside: alias)) \
          WHERE \(isRow(entity, alias, key: key)) AND \(matches(entity, alias, reference, columns)))
          """
      }
      return zip(columns, referencedValues(entity, reference, key: key)).map {
        "\($0) = \($1)" as SQLFragment
      }.joined(by: " AND ")
    }
  }
}

/// The owner of a relationship to follow.
package enum RelationOwner {
  /// A row of the same statement.
  case row(alias: String)
  /// A row by its key.
  case key(SQLFragment)
}
