import DatastoreCore

/// What becomes of pasted rows: a new object of each, and what cannot be taken.
struct PastePlan: Hashable, Sendable {
  /// A field that its property does not take; its row makes no object.
  struct Fault: Hashable, Sendable {
    /// The place of the row among those that were pasted, from 0.
    let row: Int
    let column: Int
    let reason: String
  }

  let entity: EntityIndex
  /// The columns that the fields belong to, from left to right; nil for those that belong to none.
  let slots: [Slot?]
  /// The rows without those that are names of columns.
  let rows: [[String]]
  /// The values of each row; those that hold faults are nil.
  private(set) var values: [[Slot: Value]?] = []
  private(set) var faults: [Fault] = []
  /// The fields that name objects of relationships, to be looked up: by slot, then by row.
  private(set) var names: [Slot: [Int: String]] = [:]

  /// More rows are imported from a file.
  static let most = 10_000

  /// - Parameter owner: values that every object gets, such as the object whose members are shown.
  init(
    _ rows: [[String]], slots: [Slot?], of entity: Entity, owner: [Slot: Value]
  ) {
    self.entity = entity.index
    self.slots = slots
    self.rows = rows
    for (number, fields) in rows.enumerated() {
      var values = owner
      let before = faults.count
      for (column, field) in fields.enumerated() {
        guard slots.indices.contains(column), let slot = slots[column] else {
          if !field.isEmpty, !slots.indices.contains(column) {
            faults.append(
              Fault(row: number, column: column, reason: "there is no column for “\(field)”"))
          }
          continue
        }
        // What is left empty is what a new object has anyway.
        if field.isEmpty { continue }
        if let attribute = entity.properties[slot].attribute {
          do throws(ValueFault) {
            values[slot] = try ValueForm(attribute).parse(field)
          } catch {
            faults.append(Fault(row: number, column: column, reason: error.message))
          }
        } else if let key = Self.key(field) {
          values[slot] = .integer(key)
        } else {
          names[slot, default: [:]][number] = field
        }
      }
      self.values.append(faults.count == before ? values : nil)
    }
  }

  /// The key that a field names: `#12` or `12`.
  private static func key(_ field: String) -> Int64? {
    Int64(field.hasPrefix("#") ? field.dropFirst() : field[...])
  }

  /// Applies the object that a field names, or why there is none.
  mutating func apply(_ found: Result<RowKey, PasteRefusal>, slot: Slot, row: Int) {
    names[slot]?[row] = nil
    switch found {
    case .success(let key): values[row]?[slot] = .key(key)
    case .failure(let refusal):
      values[row] = nil
      faults.append(
        Fault(row: row, column: slots.firstIndex(of: slot) ?? 0, reason: refusal.reason))
      faults.sort { ($0.row, $0.column) < ($1.row, $1.column) }
    }
  }

  /// The values of the objects that are made.
  var objects: [[Slot: Value]] { values.compactMap { $0 } }
}

/// Why a field names no object.
struct PasteRefusal: Error, Hashable, Sendable {
  let reason: String
}

extension PastePlan {
  /// Which columns a row names; nil when it is no row of names.
  ///
  /// Each field that is not empty has to be a property of the entity, whatever its case and blanks.
  static func header(_ fields: [String], of entity: Entity) -> [Slot?]? {
    func plain(_ name: String) -> String {
      name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
    }
    var byName: [String: Slot] = [:]
    for (slot, property) in zip(entity.slots, entity.properties) {
      byName[plain(property.name)] = slot
    }
    for (alias, path) in entity.description.aliases where path.count >= 1 {
      if byName[plain(alias)] == nil { byName[plain(alias)] = entity.slot(named: path[0]) }
    }
    let slots = fields.map { $0.isEmpty ? nil : byName[plain($0)] }
    let areAllKnown = zip(fields, slots).allSatisfy { $0.isEmpty || $1 != nil }
    return areAllKnown && slots.contains { $0 != nil } ? slots : nil
  }
}
