import Basics
package import DatastoreCore

/// Descriptions of entities, for browsers, and for copying rows elsewhere.
extension SchemaMapping {
  package func information(about entity: Entity, isReadOnly: Bool) -> EntityInformation {
    let mapped = entities[entity.index]
    var hasRowids = false
    if case .rowid = mapped.key { hasRowids = true }
    var wordIndexes: [String: String] = [:]
    for (slot, property) in zip(entity.slots, entity.properties) {
      if case .attribute(let column) = mapped.slots[slot], let index = column.wordIndex {
        wordIndexes[property.name] = index.table
      }
    }
    return EntityInformation(
      kind: mapped.kind, table: mapped.table, declaration: mapped.declaration,
      isReadOnly: isReadOnly || entity.isReadOnly, hasRowids: hasRowids,
      hasKey: mapped.key != .wholeRow, wordIndexes: wordIndexes,
      refusedWrites: refusedWrites(of: entity))
  }

  /// The columns that hold a property: one for an attribute, those of the reference for a to-one
  /// relationship, none for a to-many one.
  package func storedColumns(of slot: Slot, in entity: Entity) -> [AnswerColumn] {
    switch entities[entity.index].slots[slot] {
    case .attribute(let column):
      let property = entity.properties[slot]
      var answer = AnswerColumn(
        name: property.name, type: property.attribute?.type ?? .undefined,
        dates: property.attribute?.dateConvention, isGenerated: column.isGenerated)
      answer.storedName = column.name
      return [answer]
    case .toOne(let foreign):
      let referenced = columnsReferred(by: foreign.reference, in: foreign.destination)
      return foreign.columns.enumerated().map { index, column in
        var answer = answerColumn(column, of: entity.properties[slot], in: entity)
        answer.referenced = referenced?[index]
        return answer
      }
    case .toManyForeignKey, .toManyJoin: return []
    }
  }

  /// The columns that a foreign key of a third-party table refers to, in its order; nil for one that a model
  /// has made.
  private func columnsReferred(
    by reference: KeyReference, in destination: EntityIndex
  ) -> [String]? {
    let destination = entities[destination]
    switch (reference, destination.key) {
    case (.columns(let names), _), (.primaryKey, .columns(let names)): return names
    case (.rowid, .rowid(let name)): return destination.hiddenKey == nil ? [name] : nil
    default: return nil
    }
  }

  /// The third-party table of pairs that holds a relationship; nil for all other properties.
  package func pairTable(of slot: Slot, in entity: Entity) -> PairTable? {
    guard !isNative, case .toManyJoin(let join) = entities[entity.index].slots[slot],
      let link = entity.links[slot], join.ownColumns.count == 1, join.otherColumns.count == 1,
      let own = columnsReferred(by: join.ownReference, in: entity.index)?.first,
      let other = columnsReferred(by: join.otherReference, in: link.destination)?.first
    else { return nil }
    return PairTable(
      table: join.table, own: PairTable.End(column: join.ownColumns[0], referenced: own),
      other: PairTable.End(column: join.otherColumns[0], referenced: other))
  }

  /// A column of a to-one relationship in an answer: under the relationship's name if a model names the
  /// columns of a third-party file.
  func answerColumn(
    _ column: Column, of property: PropertyDescription, in entity: Entity
  ) -> AnswerColumn {
    let isModel = !isNative && entities[entity.index].hiddenKey != nil
    var answer = AnswerColumn(
      name: isModel ? property.name : column.name,
      type: column.affinity == .integer ? .integer64 : .undefined,
      isGenerated: column.isGenerated)
    answer.storedName = column.name
    return answer
  }

  /// The column of the key, if it is not a property: in native tables.
  package func keyColumn(of entity: Entity) -> AnswerColumn? {
    entities[entity.index].hiddenKey.map {
      AnswerColumn(name: $0, type: .integer64, isGenerated: false)
    }
  }

  /// The values that identify a row in its table, for entities whose keys are not integers; nil for other
  /// entities, and for keys of objects that were never saved. For the key of a dangling reference, NULL,
  /// which is in no key, and the stored values.
  package func keyValues(entity: EntityIndex, key: RowKey) -> [Value]? {
    if DanglingKey.isOne(key) { return keyTables.dangling.values(of: key).map { [.null] + $0 } }
    if case .rowid = entities[entity].key { return nil }
    return keyTables[entity].values(of: key)
  }

  /// The key with the given values; nil for entities whose keys are integers, unless it is the key of a
  /// dangling reference.
  package func key(entity: EntityIndex, values: [Value]) -> RowKey? {
    if values.first?.isNull ?? false {
      return try? keyTables.dangling.number(of: Array(values.dropFirst()))
    }
    if case .rowid = entities[entity].key { return nil }
    return try? keyTables[entity].number(of: values)
  }

  /// The key of a new row with the given values, if they determine it; otherwise nil.
  ///
  /// - Parameter stored: the value that a column will hold for a value.
  package func key(
    ofNew entity: EntityIndex, values: (_ slot: Slot) -> Value,
    stored: (_ value: Value, _ column: Column) -> Value
  ) -> RowKey? {
    let mapped = entities[entity]
    switch mapped.key {
    case .rowid:
      return mapped.keySlot.flatMap { values($0).key }
    case .columns(let names):
      var key: [Value] = []
      for name in names {
        let attributes = mapped.slots.placed.compactMap { slot, place -> (Slot, Column)? in
          guard case .attribute(let column) = place, column.name.isExactly(name) else { return nil }
          return (slot, column)
        }
        guard let (slot, column) = attributes.first else { return nil }
        let value = stored(values(slot), column)
        if value.isNull { return nil }
        key.append(value)
      }
      return self.key(entity: entity, values: key)
    case .wholeRow: return nil
    }
  }

  /// The values in the columns of a to-one relationship that lead to the rows with the given keys, by key;
  /// nil when the key itself is stored.
  ///
  /// - Parameter store: reads the rows if the relationship refers to columns other than their key.
  /// - Throws: the errors of reading.
  package func referenceValues(
    of slot: Slot, in entity: Entity, keys: [RowKey], from store: some ObjectStore
  ) throws -> [RowKey: [Value]]? {
    guard case .toOne(let foreign) = entities[entity.index].slots[slot] else {
      trap("only to-one relationships are stored as references")
    }
    let destination = foreign.destination
    var values: [RowKey: [Value]] = [:]
    switch foreign.reference {
    case .rowid: return nil
    case .primaryKey:
      for key in keys { values[key] = keyTables[destination].values(of: key) }
    case .columns(let names):
      let pages = try store.rows(entity: destination, keys: keys)
      let columns = try names.map { name in
        try columnValues(name, of: schema.entities[destination], in: pages, from: store)
      }
      for key in pages.flatMap({ page in (0..<page.rowCount).map { page.key(ofRow: $0) } }) {
        values[key] = columns.map { $0[key] ?? .null }
      }
    }
    return values
  }

  /// The values of a column in stored rows, by their keys: of an attribute, or of one of the columns of a
  /// relationship.
  package func columnValues(
    _ name: String, of entity: Entity, in pages: [RowPage], from store: some ObjectStore
  ) throws -> [RowKey: Value] {
    var part = 0
    let slot = entities[entity.index].slots.firstIndex { slot in
      switch slot {
      case .attribute(let column): return column.name.isExactly(name)
      case .toOne(let foreign):
        guard foreign.isWritable, let index = foreign.names.place(ofName: name) else {
          return false
        }
        part = index
        return true
      case .toManyForeignKey, .toManyJoin: return false
      }
    }
    guard let slot else { return [:] }
    var values: [RowKey: Value] = [:]
    for page in pages {
      for row in 0..<page.rowCount {
        values[page.key(ofRow: row)] = page.value(row: row, slot: slot)
      }
    }
    guard entity.links[slot] != nil else { return values }
    let related = Set(values.values.compactMap(\.key))
    let stored = try referenceValues(
      of: slot, in: entity, keys: related.filter { !DanglingKey.isOne($0) }, from: store)
    return values.compactMapValues { value in
      guard let key = value.key else { return nil }
      if DanglingKey.isOne(key) { return keyTables.dangling.values(of: key)?[part] }
      return stored.map { $0[key]?[part] ?? .null } ?? value
    }
  }
}

extension EntityMapping {
  /// The slot stored in a column, or in part.
  package func slot(ofColumn column: String) -> Slot? {
    slots.firstIndex { $0.columns.contains { $0.name.isExactly(column) } }
  }
}
