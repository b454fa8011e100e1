import DatastoreCore
import DatastoreImport

/// The plan of a paste: new objects or changed values of existing rows, and the fields that cannot be pasted.
struct PastePlan: Hashable, Sendable {
  /// A row of the table that receives the fields of a pasted row.
  struct Target: Hashable, Sendable {
    let object: ObjectReference
    let name: String
    /// The current values in the pasted columns.
    let old: [Slot: Value]
    /// The current values as they are shown.
    let shown: [Slot: String]
    /// Why some columns cannot be changed.
    let refusals: [Slot: String]
  }

  /// A field that is invalid for its property; its row is not pasted.
  struct Fault: Hashable, Sendable {
    /// The index of the pasted row, from 0.
    let row: Int
    let column: Int
    let reason: String
  }

  let entity: EntityIndex
  /// The properties of the fields, from left to right; nil for fields without one.
  let slots: [Slot?]
  /// The pasted rows, without a row of column names.
  let rows: [[String]]
  /// How the fields write numbers.
  let decimalMark: DecimalMark
  /// The target rows, one for each pasted row as far as there are any; nil to create new objects.
  let targets: [Target]?
  /// The values of each row, or those that change in its target; nil for rows with faults.
  private(set) var values: [[Slot: Value]?] = []
  private(set) var faults: [Fault] = []
  /// The fields that name related objects otherwise than by their key (`#12`), to be found: by slot, then by
  /// row.
  private(set) var names: [Slot: [Int: String]] = [:]

  /// The most rows that can be pasted; more have to be imported from a file.
  static let most = 10_000

  /// - Parameter owner: values that every object gets, such as the object whose members are shown.
  init(
    _ rows: [[String]], _ decimalMark: DecimalMark, slots: [Slot?], of entity: Entity,
    owner: [Slot: Value], into targets: [Target]? = nil
  ) {
    self.entity = entity.index
    self.slots = slots
    self.rows = rows
    self.decimalMark = decimalMark
    self.targets = targets
    for (number, fields) in rows.enumerated() {
      let before = faults.count
      let values = read(fields, number, of: entity, owner)
      self.values.append(faults.count == before ? values : nil)
    }
  }

  /// The values of a row's fields; records the faults, and the names of related objects.
  private mutating func read(
    _ fields: [String], _ number: Int, of entity: Entity, _ owner: [Slot: Value]
  ) -> [Slot: Value] {
    var values = targets == nil ? owner : [:]
    let target = targets.map { number < $0.count ? $0[number] : nil }
    if let target, target == nil {
      refuse(number, 0, "the table has no row for it")
      return values
    }
    for (column, field) in fields.enumerated() {
      guard slots.indices.contains(column), let slot = slots[column] else {
        if !field.isEmpty, !slots.indices.contains(column) {
          refuse(number, column, "there is no column for “\(field)”")
        }
        continue
      }
      let old = target??.old[slot]
      var value: Value?
      if field.isEmpty {
        // An empty field keeps the default of a new object, and removes the value of an existing row.
        guard old != nil else { continue }
        let property = entity.properties[slot]
        if property.attribute?.isOptional ?? property.relationship?.isOptional ?? true {
          value = .null
        } else if property.attribute?.type == .string {
          value = .text("")
        } else {
          refuse(number, column, "\(property.name) is not optional, so it cannot be empty")
          continue
        }
      } else if let attribute = entity.properties[slot].attribute {
        do throws(ValueFault) {
          value = try ValueForm(attribute, decimalMark: decimalMark)
            .parse(field, replacing: old ?? .null)
        } catch {
          refuse(number, column, error.message)
        }
      } else if field.hasPrefix("#"), let key = Int64(field.dropFirst()) {
        value = .integer(key)
      } else {
        names[slot, default: [:]][number] = field
      }
      guard let value, value != old else { continue }
      if let refusal = target??.refusals[slot] {
        refuse(number, column, refusal)
      } else {
        values[slot] = value
      }
    }
    return values
  }

  private mutating func refuse(_ row: Int, _ column: Int, _ reason: String) {
    faults.append(Fault(row: row, column: column, reason: reason))
  }

  /// Applies the related object of a field, or why there is none.
  mutating func apply(_ found: Result<RowKey, PasteRefusal>, slot: Slot, row: Int) {
    names[slot]?[row] = nil
    switch found {
    case .success(let key):
      let target = targets?[row]
      guard target?.old[slot] != .key(key) else { return }
      if let refusal = target?.refusals[slot] { return leaveOut(row, slot, refusal) }
      values[row]?[slot] = .key(key)
    case .failure(let refusal): leaveOut(row, slot, refusal.reason)
    }
  }

  private mutating func leaveOut(_ row: Int, _ slot: Slot, _ reason: String) {
    values[row] = nil
    refuse(row, slots.firstIndex(of: slot) ?? 0, reason)
    faults.sort { ($0.row, $0.column) < ($1.row, $1.column) }
  }

  /// The values of the rows that can be pasted.
  var taken: [[Slot: Value]] { values.compactMap { $0 } }
  /// The number of columns with fields for which there is no property, or a read-only one.
  var columnsLeftOut: Int {
    slots.indices.filter { column in
      slots[column] == nil && rows.contains { column < $0.count && !$0[column].isEmpty }
    }.count
  }
  /// The number of values that change.
  var changeCount: Int { taken.reduce(0) { $0 + $1.count } }

  /// The rows that change, with their new values.
  var changes: (objects: [ObjectReference], values: [RowKey: [Slot: Value]]) {
    let pairs = zip(targets ?? [], values).compactMap { target, values in
      values.flatMap { $0.isEmpty ? nil : (target.object, $0) }
    }
    return (pairs.map(\.0), Dictionary(pairs.map { ($0.0.key, $0.1) }) { first, _ in first })
  }
}

/// Why a field names no object.
struct PasteRefusal: Error, Hashable, Sendable {
  let reason: String
}

extension PastePlan {
  /// The properties that a row of column names refers to; nil if it is not such a row.
  ///
  /// Each field that is not empty must be a property of the entity, ignoring case and blanks.
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
