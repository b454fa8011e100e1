import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  /// A prepared statement that updates rows. An object, because it is passed on for each row.
  final class UpdatePlan {
    let statement: RawStatement
    let form: SaveForms.Update
    /// The key it was made for.
    let key: SaveForms.UpdateKey

    init(_ statement: RawStatement, _ form: SaveForms.Update, _ key: SaveForms.UpdateKey) {
      self.statement = statement
      self.form = form
      self.key = key
    }
  }

  func update(_ change: EntityChanges) throws {
    if change.updated.isEmpty { return }
    parked = []
    let rule = try stalenessRule(change.entity)
    let mapped = mapping.entities[change.entity]
    let keySlots = SlotSet(mapped.slots.indices.filter { mapped.isKeyPart(slot: $0) })
    for update in change.updated {
      if update.slots.intersects(keySlots) { try refuseKeyChange(update, keySlots, change.entity) }
      if rule.isStale(update) { markStale(change.entity, update.key) }
    }
    var plans: [SaveForms.UpdateKey: UpdatePlan] = [:]
    var last: UpdatePlan?
    defer { for plan in plans.values { plan.statement.reset() } }
    var waiting = inKeyOrder(change.updated) { $0.key }
    if !conflictingRows.isEmpty { waiting.removeAll { isInConflict(change.entity, $0.key) } }
    while !waiting.isEmpty {
      var postponed: [RowUpdate] = []
      var firstError: (any Error)?
      for update in waiting {
        let key = SaveForms.UpdateKey(
          entity: change.entity, slots: update.slots, overwrites: update.overwrites)
        let known = last?.key == key ? last : plans[key]
        guard let plan = try known ?? updatePlan(key) else { continue }
        if known == nil { plans[key] = plan }
        last = plan
        do {
          try run(plan, update, change.entity)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // The value in the way may belong to a row whose own update is still to come.
          postponed.append(update)
          firstError = firstError ?? error
        }
      }
      if let firstError {
        let isHelped = try park(&postponed, change.entity, firstError)
        if !isHelped, postponed.count == waiting.count {
          try mapping.naming(change.entity, postponed[0].key, in: database) { throw firstError }
          return
        }
      }
      waiting = postponed
    }
  }

  private func run(_ plan: UpdatePlan, _ update: RowUpdate, _ entity: EntityIndex) throws {
    let pointer = plan.statement.pointer
    sqlite3_bind_int64(pointer, 1, current(entity, update.key).rawValue)
    var parameter: Int32 = 2
    for slot in plan.form.slots {
      try bind(plan, update.page, update.row, slot, at: parameter)
      parameter += 1
    }
    if !update.overwrites {
      for slot in plan.form.slots {
        try bind(plan, update.original, update.originalRow, slot, at: parameter)
        parameter += 1
      }
    }
    try plan.statement.run()
    if sqlite3_changes(database.sqliteConnection) == 0 {
      try examine(update, plan, entity)
    } else {
      recordLateReferences(update, plan, entity)
    }
  }

  /// Rows still to be inserted have no value yet for a reference.
  private func recordLateReferences(_ update: RowUpdate, _ plan: UpdatePlan, _ entity: EntityIndex)
  {
    for (slot, foreign) in plan.form.foreign {
      guard case .columns = foreign.reference,
        update.page.tag(row: update.row, slot: slot) == .integer
      else { continue }
      let target = update.page.key(row: update.row, slot: slot)
      lateReferences.append(
        LateReference(
          entity: entity, slot: slot, key: current(entity, update.key),
          destination: current(foreign.destination, target)))
    }
  }

  private func bind(
    _ plan: UpdatePlan, _ page: RowPage, _ row: Int, _ slot: Slot, at parameter: Int32
  ) throws {
    if !plan.form.foreign.isEmpty, let foreign = plan.form.foreign[slot],
      page.tag(row: row, slot: slot) == .integer
    {
      plan.statement.bind(
        current(foreign.destination, page.key(row: row, slot: slot)), at: parameter)
    } else {
      try plan.statement.bind(page, row: row, slot: slot, at: parameter)
    }
  }

  /// nil when no changed slot is stored in the row.
  private func updatePlan(_ key: SaveForms.UpdateKey) throws -> UpdatePlan? {
    guard let form = store.saveForms.withLock({ $0[key] }) ?? updateForm(key) else { return nil }
    return UpdatePlan(
      try RawStatement(rendered: form.text, in: database, isCached: true), form, key)
  }

  private func updateForm(_ key: SaveForms.UpdateKey) -> SaveForms.Update? {
    let mapped = mapping.entities[key.entity]
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    let slots = key.slots.filter { mapped.slots[$0].isWritable }
    var assignments: [SQLFragment] = []
    var conditions = [builder.isRow(key.entity, alias, key: "?1")]
    var foreignKeys: [Slot: ForeignKey] = [:]
    for (index, slot) in slots.enumerated() {
      let new: SQLFragment = "?\(number: index + 2)"
      let original: SQLFragment = "?\(number: index + 2 + slots.count)"
      switch mapped.slots[slot] {
      case .attribute(let column):
        assignments.append("\(name: column.name) = \(new)")
        let collation: SQLFragment = column.isBinary ? "" : " COLLATE BINARY"
        conditions.append("\(builder.column(alias, column.name))\(collation) IS \(original)")
      case .toOne(let foreign):
        foreignKeys[slot] = foreign
        let values = builder.storedValues(foreign, key: new)
        assignments += zip(foreign.names, values).map { "\(name: $0) = \($1)" }
        conditions.append("\(builder.reference(foreign, alias).sql) IS \(original)")
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    if assignments.isEmpty { return nil }
    let sql: SQLFragment = """
      UPDATE \(builder.table(key.entity, alias)) SET \(assignments.joined(by: ", ")) \
      WHERE \((key.overwrites ? [conditions[0]] : conditions).joined(by: " AND "))
      """
    let form = SaveForms.Update(text: sql.rendered.text, slots: slots, foreign: foreignKeys)
    store.saveForms.withLock { $0[key] = form }
    return form
  }

  /// Determines why an update met no row.
  private func examine(_ update: RowUpdate, _ plan: UpdatePlan, _ entity: EntityIndex) throws {
    let described = mapping.schema.entities[entity]
    guard let (page, row) = try stored(entity, update.key) else {
      conflicts.append(
        Conflict(
          entity: described.name, key: update.key, properties: [], isDeleted: true,
          mayBeElsewhere: mayBeElsewhere(entity)))
      return
    }
    let changed = plan.form.slots.filter { slot in
      page.value(row: row, slot: slot)
        != update.original.value(row: update.originalRow, slot: slot)
    }
    // Even if the stored value is already the same: someone who counted from 5 to 6 did not count the other's
    // 6.
    let differing = try changed.filter { slot in
      !(try isEmptied(page, row, update, slot, entity))
        && !(isWrittenByTrigger(update, entity) && holds(page, row, update, slot, entity))
    }
    let original = RowReference(update.original, update.originalRow)
    let mine = RowReference(update.page, update.row)
    let properties = differing.map { slot in
      Conflict.Property(
        slot, of: described, original: original, mine: mine, theirs: RowReference(page, row))
    }
    // Also if SQLite and the cells that were read disagree about equality.
    if properties.isEmpty, !update.overwrites {
      var settled = update
      settled.overwrites = true
      let key = SaveForms.UpdateKey(entity: entity, slots: settled.slots, overwrites: true)
      guard let plan = try updatePlan(key) else { return }
      defer { plan.statement.reset() }
      return try run(plan, settled, entity)
    }
    if properties.isEmpty {
      throw StoreError.refused(
        entity: described.name, key: update.key, detail: "a trigger of the file ignored the change")
    }
    conflicts.append(
      Conflict(
        entity: described.name, key: update.key, properties: properties, isDeleted: false))
  }

  /// Whether a stored row already holds the new value of a slot.
  private func holds(
    _ page: RowPage, _ row: Int, _ update: RowUpdate, _ slot: Slot, _ entity: EntityIndex
  ) -> Bool {
    let stored = page.value(row: row, slot: slot)
    let mine = update.page.value(row: update.row, slot: slot)
    switch mapping.entities[entity].slots[slot] {
    case .attribute(let column): return column.affinity.converted(mine) == stored
    case .toOne(let foreign):
      guard let key = mine.key else { return mine == stored }
      return .key(current(foreign.destination, key)) == stored
    case .toManyForeignKey, .toManyJoin: return true
    }
  }

  /// Whether a reference is empty because its row was deleted: in this save, so that the foreign key's own
  /// action has cleared it, or by someone else, if it was to be cleared anyway.
  private func isEmptied(
    _ page: RowPage, _ row: Int, _ update: RowUpdate, _ slot: Slot, _ entity: EntityIndex
  ) throws -> Bool {
    guard case .toOne(let foreign) = mapping.entities[entity].slots[slot],
      page.value(row: row, slot: slot).isNull,
      let key = update.original.value(row: update.originalRow, slot: slot).key
    else { return false }
    let schema = mapping.schema
    let isDeletedHere = changes.entities.contains { change in
      schema.entities[change.entity].root == schema.entities[foreign.destination].root
        && change.deleted.contains { $0.key == key }
    }
    if isDeletedHere { return true }
    return update.page.tag(row: update.row, slot: slot) == .null
      ? try stored(foreign.destination, key) == nil : false
  }

  /// Whether a trigger has changed the row during this save, before its own turn.
  private func isWrittenByTrigger(_ update: RowUpdate, _ entity: EntityIndex) -> Bool {
    sideChanges?.hasWritten(current(entity, update.key), of: mapping.entities[entity]) ?? false
  }

  /// A row of the changes, as in the file.
  func stored(_ entity: EntityIndex, _ key: RowKey) throws -> (RowPage, Int)? {
    let builder = QueryBuilder(mapping)
    let scope = builder.makeScope(entity)
    let statement = try RawStatement(
      """
      SELECT \(builder.rowColumns(entity, scope.alias))\(builder.from(scope)) \
      WHERE \(builder.isRow(entity, scope.alias, key: "?1"))
      """, in: database)
    statement.bind(current(entity, key), at: 1)
    return try RowReader(mapping, entity: entity).pages(statement).first.map { ($0, 0) }
  }

  func isUnchanged(_ update: RowUpdate, _ entity: EntityIndex) throws -> Bool {
    if update.overwrites { return true }
    guard let (page, row) = try stored(entity, update.key) else { return false }
    return update.slots.allSatisfy { slot in
      page.value(row: row, slot: slot)
        == update.original.value(row: update.originalRow, slot: slot)
    }
  }

  /// A row keeps its key: everything that knows the row knows it by that, in this process and in others.
  private func refuseKeyChange(_ update: RowUpdate, _ keySlots: SlotSet, _ entity: EntityIndex)
    throws
  {
    for slot in update.slots where keySlots.contains(slot) {
      let described = mapping.schema.entities[entity]
      throw StoreError.keyChanged(
        entity: described.name, property: described.properties[slot].name, key: update.key)
    }
  }
}

extension DatabaseError {
  var isUniqueness: Bool {
    extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
      || extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY
      || extendedResultCode == .SQLITE_CONSTRAINT_ROWID
  }
}
