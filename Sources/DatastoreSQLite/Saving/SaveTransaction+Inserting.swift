import DatastoreCore
import DatastoreSQL
import GRDB
import GRDBSQLite

extension SaveTransaction {
  /// A statement that inserts rows, prepared.
  struct InsertPlan {
    let statement: RawStatement
    let form: SaveForms.Insert
  }

  /// Rows that others refer to by columns other than their key come before those that refer to them. All
  /// others in the order in which they were made.
  func inInsertionOrder() -> [EntityChanges] {
    if mapping.isNative { return changes.entities }
    return mapping.insertionOrder(changes.entities) {
      if case .columns = $0.reference { return true }
      return false
    }
  }

  func insert(_ change: EntityChanges) throws {
    if change.inserted.isEmpty { return }
    let rule = try stalenessRule(change.entity)
    let computed = mapping.entities[change.entity].computedDefaults
    var plans: [SlotSet: InsertPlan] = [:]
    if computed.isEmpty {
      let plan = try insertPlan(change.entity, leavingOut: SlotSet())
      defer { plan.statement.reset() }
      for page in change.inserted {
        for row in 0..<page.rowCount {
          try insert(change.entity, page, row, plan)
          if rule.isStale(page, row) { markStale(change.entity, page.key(ofRow: row)) }
        }
      }
      return
    }
    defer { for plan in plans.values { plan.statement.reset() } }
    for page in change.inserted {
      for row in 0..<page.rowCount {
        let absent = SlotSet(computed.filter { page.tag(row: row, slot: $0) == .null })
        let plan = try plans[absent] ?? insertPlan(change.entity, leavingOut: absent)
        plans[absent] = plan
        try insert(change.entity, page, row, plan)
        if !absent.isEmpty || rule.isStale(page, row) {
          markStale(change.entity, page.key(ofRow: row))
        }
      }
    }
  }

  func markStale(_ entity: EntityIndex, _ key: RowKey) {
    stale[entity, default: []].append(current(entity, key))
  }

  @inline(__always)
  private func insert(
    _ entity: EntityIndex, _ page: RowPage, _ row: Int, _ plan: InsertPlan
  ) throws {
    let key = current(entity, page.key(ofRow: row))
    let statement = plan.statement
    if plan.form.bindsKey { statement.bind(key, at: 1) }
    for (parameter, slot) in plan.form.attributes {
      try statement.bind(page, row: row, slot: slot, at: parameter)
    }
    for (parameter, slot, foreign) in plan.form.references {
      guard page.tag(row: row, slot: slot) == .integer else {
        sqlite3_bind_null(statement.pointer, parameter)
        continue
      }
      let target = current(foreign.destination, page.key(row: row, slot: slot))
      statement.bind(target, at: parameter)
      if case .columns = foreign.reference {
        lateReferences.append(
          LateReference(entity: entity, slot: slot, key: key, destination: target))
      }
    }
    let code = sqlite3_step(statement.pointer)
    if code == SQLITE_DONE {
      sqlite3_reset(statement.pointer)
      if sqlite3_changes(database.sqliteConnection) == 0 {
        throw StoreError.refused(
          entity: mapping.schema.entities[entity].name, key: key,
          detail: "a trigger or constraint of the file ignored the new row")
      }
    } else {
      try mapping.naming(entity, key, in: database) { throw statement.failure(code) }
    }
  }

  private func insertPlan(_ entity: EntityIndex, leavingOut absent: SlotSet) throws -> InsertPlan {
    let key = SaveForms.InsertKey(entity: entity, absent: absent)
    let form = store.saveForms.withLock { $0[key] } ?? insertForm(key)
    return InsertPlan(
      statement: try RawStatement(rendered: form.text, in: database, isCached: true), form: form)
  }

  private func insertForm(_ key: SaveForms.InsertKey) -> SaveForms.Insert {
    let mapped = mapping.entities[key.entity]
    let builder = QueryBuilder(mapping)
    var names: [SQLFragment] = []
    var values: [SQLFragment] = []
    var attributes: [(parameter: Int32, slot: Slot)] = []
    var references: [(parameter: Int32, slot: Slot, foreign: ForeignKey)] = []
    var parameter = 1
    var bindsKey = false
    if case .rowid(let rowid) = mapped.key {
      names.append("\(name: rowid)")
      values.append("?1")
      bindsKey = true
    }
    if let family = mapped.family {
      names.append("\(name: family.discriminator)")
      values.append("\(literal: mapping.schema.entities[key.entity].name)")
    }
    for (slot, place) in mapped.slots.placed where !key.absent.contains(slot) {
      parameter = slot.rawValue + 2
      switch place {
      case .attribute(let column):
        if column.isGenerated || slot == mapped.keySlot { continue }
        names.append("\(name: column.name)")
        values.append("?\(number: parameter)")
        attributes.append((Int32(parameter), slot))
      case .toOne(let foreign):
        guard foreign.isWritable else { continue }
        names += foreign.names.map { "\(name: $0)" }
        values += builder.storedValues(foreign, key: "?\(number: parameter)")
        references.append((Int32(parameter), slot, foreign))
      case .toManyForeignKey, .toManyJoin: continue
      }
    }
    let sql: SQLFragment =
      names.isEmpty
      ? "INSERT INTO \(name: mapped.table) DEFAULT VALUES"
      : """
      INSERT INTO \(name: mapped.table) (\(names.joined(by: ", "))) \
      VALUES (\(values.joined(by: ", ")))
      """
    let form = SaveForms.Insert(
      text: sql.rendered.text, attributes: attributes, references: references, bindsKey: bindsKey)
    store.saveForms.withLock { $0[key] = form }
    return form
  }

  /// Writes a reference again, now that its row exists.
  func setReference(_ reference: LateReference) throws {
    let builder = QueryBuilder(mapping)
    let alias = builder.makeAlias()
    guard case .toOne(let foreign) = mapping.entities[reference.entity].slots[reference.slot]
    else { return }
    let values = builder.storedValues(foreign, key: "?2")
    let assignments = zip(foreign.names, values).map {
      "\(name: $0) = \($1)" as SQLFragment
    }
    let statement = try RawStatement(
      """
      UPDATE \(builder.table(reference.entity, alias)) SET \(assignments.joined(by: ", ")) \
      WHERE \(builder.isRow(reference.entity, alias, key: "?1"))
      """, in: database, isCached: true)
    defer { statement.reset() }
    statement.bind(reference.key, at: 1)
    statement.bind(reference.destination, at: 2)
    try mapping.naming(reference.entity, reference.key, in: database) { try statement.run() }
  }
}
