import Basics
import DatastoreCore

/// A foreign key with an existing destination.
struct ResolvedKey {
  let destination: EntityIndex
  let reference: KeyReference
  /// Its own columns, in the order of the reference.
  let columns: [String]
  /// The referenced columns, in the same order.
  let referenced: [String]
  let onDelete: String
  /// The relationship's slot, once it has one.
  var slot: Slot?
}

extension Reflector {
  /// The foreign keys of an entity that can be followed, in the order of their declaration.
  func resolvedKeys(of entity: EntityIndex) -> [ResolvedKey] {
    let table = self.table(entity)
    if table.key == .wholeRow { return [] }
    return table.foreignKeys.compactMap { key in
      guard let destination = entityByTable[Table.distinguished(key.table)] else { return nil }
      guard let found = reference(key, from: table, to: self.table(destination)) else { return nil }
      return ResolvedKey(
        destination: destination, reference: found.reference, columns: found.columns,
        referenced: found.referenced, onDelete: Self.action(of: key, in: table))
    }
  }

  /// What the database does with the key when the row is deleted that it refers to: without a
  /// default, setting it clears the key.
  private static func action(of key: DescribedReference, in table: Table) -> String {
    guard key.onDelete.uppercased() == "SET DEFAULT",
      key.columns.allSatisfy({ table.column($0)?.declaredDefault == nil })
    else { return key.onDelete }
    return "SET NULL"
  }

  /// The reference of a foreign key; nil when the database itself could not follow it.
  func reference(
    _ key: DescribedReference, from table: Table, to target: Table
  ) -> (reference: KeyReference, columns: [String], referenced: [String])? {
    if !target.kind.isTable || target.key == .wholeRow { return nil }
    let named = key.referenced.isEmpty ? target.primaryKey : key.referenced
    let parents = named.compactMap { target.column($0) }
    let children = key.columns.compactMap { table.column($0) }
    guard parents.count == named.count, children.count == key.columns.count,
      parents.count == children.count, !parents.isEmpty, target.isUnique(named)
    else { return nil }
    let isExact = zip(children, parents).allSatisfy { child, parent in
      table.refersExactly(child, to: parent, of: target)
    }
    let names = children.map(\.name)
    let referenced = parents.map(\.name)
    switch target.key {
    case .rowid(let column) where isExact && referenced.isExactly([column]):
      return (.rowid, names, referenced)
    case .columns(let columns)
    where isExact && Set(columns.map(\.exactKey)) == Set(referenced.map(\.exactKey)):
      let ordered = columns.compactMap { column in referenced.place(ofName: column) }
      return (.primaryKey, ordered.map { names[$0] }, columns)
    default:
      return target.isFound(by: referenced) ? (.columns(referenced), names, referenced) : nil
    }
  }

  /// `department` for `department_id`, `departmentId`, `departmentID`.
  static func relationshipName(of column: String) -> String {
    for suffix in ["_id", "_ID", "_Id", "Id", "ID"] where column.hasSuffix(suffix) {
      let name = column.dropLast(suffix.count)
      if !name.isEmpty { return String(name) }
    }
    return column
  }

  static func deleteRule(_ action: String) -> DeleteRule {
    switch action.uppercased() {
    case "CASCADE": .cascade
    case "SET NULL": .nullify
    // The database does it, with a default that is not known here (`setsDefaults(in:)`).
    case "SET DEFAULT": .noAction
    default: .deny
    }
  }
}
