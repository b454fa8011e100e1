import DatastoreCore
import DatastoreSQL

/// A foreign key that leads somewhere.
struct ResolvedKey {
  let destination: EntityIndex
  let reference: KeyReference
  /// Own columns, in the order of the reference.
  let columns: [String]
  /// The columns they refer to, in the same order.
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
      guard let destination = entityByTable[key.table.lowercased()] else { return nil }
      guard let found = reference(key, from: table, to: self.table(destination)) else { return nil }
      return ResolvedKey(
        destination: destination, reference: found.reference, columns: found.columns,
        referenced: found.referenced, onDelete: key.onDelete)
    }
  }

  /// What a foreign key refers to; nil when SQLite itself could not follow it.
  func reference(
    _ key: FileTable.ForeignKey, from table: FileTable, to target: FileTable
  ) -> (reference: KeyReference, columns: [String], referenced: [String])? {
    if target.kind != .table || target.key == .wholeRow { return nil }
    let named = key.referenced.isEmpty ? target.primaryKey : key.referenced
    let parents = named.compactMap(target.column)
    let children = key.columns.compactMap(table.column)
    guard parents.count == named.count, children.count == key.columns.count,
      parents.count == children.count, !parents.isEmpty, target.isUnique(named)
    else { return nil }
    // Affinity and collation of the referenced column decide what equals it.
    let isExact = zip(children, parents).allSatisfy { child, parent in
      let childAffinity = DeclaredType.affinity(child.declaredType, isStrict: table.isStrict)
      let affinity = DeclaredType.affinity(parent.declaredType, isStrict: target.isStrict)
      return childAffinity == affinity && parent.isBinary
        || affinity == .integer && childAffinity == .numeric
    }
    let names = children.map(\.name)
    let referenced = parents.map(\.name)
    switch target.key {
    case .rowid(let column) where isExact && referenced == [column]:
      return (.rowid, names, referenced)
    case .columns(let columns) where isExact && Set(columns) == Set(referenced):
      let ordered = columns.compactMap { column in referenced.firstIndex(of: column) }
      return (.primaryKey, ordered.map { names[$0] }, columns)
    default:
      return (.columns(referenced), names, referenced)
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
    case "SET DEFAULT": .noAction
    default: .deny
    }
  }
}

extension [FileTable] {
  /// The columns that someone has said to refer to the rows of a table which is there, by table; all in lower case.
  func references(accordingTo annotations: SchemaAnnotations) -> [String: Set<String>] {
    var references: [String: Set<String>] = [:]
    for table in self {
      for column in table.columns {
        guard
          let (reference, decision) = annotations.relationship(of: column.name, in: table.name),
          decision == .accepted,
          let target = first(where: { $0.name == reference.table }),
          target.isUnique([reference.column])
        else { continue }
        references[table.name.lowercased(), default: []].insert(column.name.lowercased())
      }
    }
    return references
  }

  /// The same tables with the relationships that someone has accepted and the types that someone has said, as if
  /// they were declared. SQLite knows nothing of them, so a row that others refer to is not deleted.
  func adding(_ annotations: SchemaAnnotations) -> [FileTable] {
    map { table in
      var table = table
      for place in table.columns.indices {
        guard let type = annotations.type(of: table.columns[place].name, in: table.name) else {
          continue
        }
        table.columns[place].saidType = type
      }
      for column in table.columns {
        guard
          let (reference, decision) = annotations.relationship(of: column.name, in: table.name),
          decision == .accepted
        else { continue }
        let isDeclared = table.foreignKeys.contains { $0.columns == [column.name] }
        if isDeclared { continue }
        table.foreignKeys.append(
          FileTable.ForeignKey(
            table: reference.table, columns: [column.name], referenced: [reference.column],
            onDelete: "NO ACTION"))
      }
      return table
    }
  }
}
