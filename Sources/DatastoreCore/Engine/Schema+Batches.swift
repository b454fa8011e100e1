/// Checks of a schema for batch operations, which have no objects.
extension Schema {
  /// - Throws: `StoreError.readOnlyEntity`.
  package func requireWritable(_ entity: EntityIndex) throws {
    let entity = entities[entity]
    if entity.isReadOnly { throw StoreError.readOnlyEntity(entity.name) }
  }

  /// Checks rows that are written without objects, because no graph has checked them.
  ///
  /// - Throws: `ValidationError` for whole numbers that no store can hold, and for values that break a rule.
  package func requireStorable(_ changes: EntityChanges) throws {
    let entity = entities[changes.entity]
    if entity.unsigned64Slots.isEmpty, entity.rules.isEmpty { return }
    var faults: [ValidationError.Fault] = []
    for page in changes.inserted {
      for row in 0..<page.rowCount {
        faults += entity.faults(ofRow: row, in: page, key: page.key(ofRow: row)) { _ in true }
      }
    }
    for update in changes.updated {
      faults += entity.faults(ofRow: update.row, in: update.page, key: update.key) {
        update.slots.contains($0)
      }
    }
    if !faults.isEmpty { throw ValidationError(faults: faults) }
  }
}

extension Entity {
  /// - Parameter isWritten: whether to check a slot.
  fileprivate func faults(
    ofRow row: Int, in page: RowPage, key: RowKey, where isWritten: (Slot) -> Bool
  ) -> [ValidationError.Fault] {
    var faults: [ValidationError.Fault] = []
    func report(_ slot: Slot, _ reason: ValidationError.Fault.Reason) {
      faults.append(
        ValidationError.Fault(
          entity: name, key: key, property: properties[slot].name, reason: reason))
    }
    for slot in unsigned64Slots where isWritten(slot) && page.tag(row: row, slot: slot) == .text {
      report(slot, .tooGreat(value: page.text(row: row, slot: slot)))
    }
    for (slot, type, rules) in rules where isWritten(slot) {
      let value = page.value(row: row, slot: slot)
      for rule in rules where !rule.accepts(value, of: type) {
        report(slot, .breaksRule(rule, value: value, type: type))
      }
    }
    return faults
  }

  /// Checks a value for an attribute of many rows.
  ///
  /// - Throws: `StoreError.refused`.
  package func requireAssignable(_ value: Value, at slot: Slot) throws(StoreError) {
    func refusal(_ detail: String) -> StoreError {
      .refused(entity: name, key: nil, detail: "“\(properties[slot].name)” would be \(detail)")
    }
    if case .text(let text) = value, unsigned64Slots.contains(slot) {
      throw refusal(
        "\(text), but the greatest whole number that can be saved is \(Int64.max)")
    }
    if let broken = brokenRule(by: value, at: slot) {
      throw refusal(
        "\(broken.type.text(of: value)), but must \(broken.rule.demand(of: broken.type))")
    }
  }
}
