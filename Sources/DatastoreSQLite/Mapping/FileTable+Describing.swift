import Basics
import DatastoreCore
import DatastoreSQL

/// The requirements of `Reflector`.
extension FileTable {
  var isAutoincrement: Bool { declaration?.uppercased().contains("AUTOINCREMENT") ?? false }

  var isReadOnly: Bool { false }

  static func distinguished(_ name: String) -> String { name.caselessKey }

  func mapped(_ column: Column) -> DatastoreSQL.Column {
    let fallback = column.defaultText.map(DeclaredType.literal)
    return DatastoreSQL.Column(
      name: column.name,
      affinity: DeclaredType.affinity(column.declaredType, isStrict: isStrict),
      isGenerated: column.isGenerated, isBinary: column.isBinary,
      isStrict: isStrict && column.declaredType.uppercased() != "ANY",
      hasComputedDefault: fallback == .some(.none), isNullable: !column.isNotNull)
  }

  func attributeType(of column: Column) -> AttributeType {
    DeclaredType.attributeType(column.shownType)
  }

  func fallback(of column: Column) -> Value {
    let literal = column.defaultText.flatMap(DeclaredType.literal) ?? .null
    return DeclaredType.affinity(column.declaredType, isStrict: isStrict).converted(literal)
  }

  /// Affinity and collation of the referenced column decide which values are equal to it.
  func refersExactly(_ column: Column, to referenced: Column, of target: FileTable) -> Bool {
    let own = DeclaredType.affinity(column.declaredType, isStrict: isStrict)
    let affinity = DeclaredType.affinity(referenced.declaredType, isStrict: target.isStrict)
    return own == affinity && referenced.isBinary || affinity == .integer && own == .numeric
  }

  func isFound(by columns: [String]) -> Bool { true }
}

extension FileTable.Column {
  var shownType: String { saidType ?? declaredType }
}
