import Basics
import DatastoreCore
import DatastoreSQL
import GRDB

/// The entities of a store without its model. The store itself lists them and their parents; names of columns
/// and indexes indicate much of the rest: of 6,600 indexes with such a name, 99 in 100 are of references.
extension CoreDataModel {
  /// nil if none of the listed entities has a table. All columns of a table belong to its topmost entity.
  ///
  /// - Throws: `DatabaseError`.
  static func guessed(
    _ file: CoreDataFile, _ tables: [FileTable], in database: Database
  ) throws -> CoreDataModel? {
    var guess = try CoreDataGuess(file, tables, in: database)
    guard !guess.entities.isEmpty else { return nil }
    try guess.addColumns()
    guess.addPairs()
    var model = CoreDataModel(entities: guess.entities.values.sorted { $0.name < $1.name })
    model.isGuessed = true
    return model
  }
}

private struct CoreDataGuess {
  private(set) var entities: [String: CoreDataModel.Entity] = [:]
  private let database: Database
  private let nameByNumber: [Int64: String]
  private let tables: [FileTable]
  /// By the names of entities without a parent.
  private var tableByRoot: [String: IndexedTable] = [:]
  private let indexNames: Set<String>

  init(_ file: CoreDataFile, _ tables: [FileTable], in database: Database) throws {
    self.database = database
    self.tables = tables
    let numbers = file.numbers.filter { $0.value < CoreDataModel.firstOfFramework }
    nameByNumber = Dictionary(
      numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var names: Set<String> = []
    let rows = try RawStatement("SELECT name FROM sqlite_schema WHERE type = 'index'", in: database)
    while try rows.step() { names.insert(rows.value(at: 0).plainText.caselessKey) }
    indexNames = names
    for name in numbers.keys {
      let parent = file.parents[name].flatMap { nameByNumber[$0] }
      entities[name] = CoreDataModel.Entity(name: name, parent: parent)
      if parent == nil,
        let table = tables.first(where: { $0.name.caselessKey == "Z\(name)".caselessKey })
      {
        tableByRoot[name] = IndexedTable(table)
      }
    }
    if tableByRoot.isEmpty { entities = [:] }
  }

  // Columns.

  mutating func addColumns() throws {
    for (root, table) in tableByRoot.sorted(by: { $0.key < $1.key }) {
      for column in table.table.columns {
        let name = column.name.uppercased()
        guard name.hasPrefix("Z"), !["Z_PK", "Z_ENT", "Z_OPT"].contains(name) else { continue }
        try add(column, named: name, root, table)
      }
    }
  }

  private mutating func add(
    _ column: FileTable.Column, named name: String, _ root: String, _ table: IndexedTable
  ) throws {
    if name.hasPrefix("Z_FOK_") { return }
    if let (number, rest) = Self.numbered(name.dropFirst()), let other = nameByNumber[number] {
      // The entity of the destination is stored beside the reference, and is not a value.
      if rest.hasPrefix("_"), table.column("Z\(rest.dropFirst())") != nil { return }
      if !rest.hasPrefix("_"), column.declaredType.uppercased() == "INTEGER" {
        let isOrdered = table.column("Z_FOK_\(number)\(rest)") != nil
        return addRelationship(
          rest.lowercased(), of: other, to: root, inverse: nil, isToMany: true, isOrdered: isOrdered
        )
      }
    }
    let property = name.dropFirst().lowercased()
    let isReference = indexNames.contains("\(table.name)_\(column.name)_INDEX".caselessKey)
    if isReference, column.declaredType.uppercased() == "INTEGER",
      let destination = try destination(of: column, property, table)
    {
      // The inverse is not known; uses a name that differs from all in the model.
      let inverse = "\(root)_\(property)"
      addRelationship(property, of: root, to: destination, inverse: inverse)
      return addRelationship(
        inverse, of: destination, to: root, inverse: property, isToMany: true,
        isOrdered: table.column("Z_FOK_\(name.dropFirst())") != nil)
    }
    entities[root]?.attributes.append(
      CoreDataModel.Attribute(name: property, type: try Self.type(of: column)))
  }

  private mutating func addRelationship(
    _ name: String, of entity: String, to destination: String, inverse: String?,
    isToMany: Bool = false, isOrdered: Bool = false
  ) {
    var relationship = CoreDataModel.Relationship(
      name: name, destination: destination, inverse: inverse)
    (relationship.isToMany, relationship.isOrdered) = (isToMany, isOrdered)
    entities[entity]?.relationships.append(relationship)
  }

  private static func type(of column: FileTable.Column) throws -> CoreDataModel.AttributeKind {
    switch column.declaredType.uppercased() {
    case "VARCHAR": .string
    case "TIMESTAMP": .date
    case "DECIMAL": .decimal
    case "FLOAT": .double
    case "BLOB": .binary
    default: .integer64
    }
  }

  /// The number at the beginning of a name, and the rest.
  private static func numbered(_ name: Substring) -> (Int64, String)? {
    let digits = name.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), digits.count < name.count else { return nil }
    return (number, String(name.dropFirst(digits.count)))
  }

  // Destinations.

  /// The destination of a reference: by the column beside it, or by its name, or by its values; nil if
  /// nothing tells.
  private func destination(
    of column: FileTable.Column, _ property: String, _ table: IndexedTable
  ) throws -> String? {
    let rest = column.name.uppercased().dropFirst()
    for (number, name) in nameByNumber where table.column("Z\(number)_\(rest)") != nil {
      return name
    }
    let roots = tableByRoot.keys.sorted {
      ($0.utf8.count, $1) > ($1.utf8.count, $0)
    }
    let named = roots.filter { property.hasSuffix($0.lowercased()) }
    for root in named where try holds(column, of: table, root) { return root }
    guard try hasValues(column, of: table) else { return named.first }
    var covering: [String] = []
    for root in roots where try holds(column, of: table, root) {
      covering.append(root)
      if covering.count > 1 { return nil }
    }
    return covering.first
  }

  private func hasValues(_ column: FileTable.Column, of table: IndexedTable) throws -> Bool {
    try RawStatement(
      "SELECT 1 FROM \(name: table.name) WHERE \(name: column.name) IS NOT NULL LIMIT 1",
      in: database
    ).firstInteger() == 1
  }

  /// Whether the first thousand values are keys of a table.
  private func holds(
    _ column: FileTable.Column, of table: IndexedTable, _ root: String
  ) throws -> Bool {
    guard let other = tableByRoot[root], other.column("Z_PK") != nil else { return false }
    return try RawStatement(
      """
      SELECT 1 FROM (SELECT \(name: column.name) AS k FROM \(name: table.name) \
      WHERE \(name: column.name) IS NOT NULL LIMIT 1000) AS v \
      WHERE NOT EXISTS (SELECT 1 FROM \(name: other.name) AS d WHERE d.`Z_PK` = v.k) LIMIT 1
      """, in: database
    ).firstInteger() != 1
  }

  // Pairs.

  /// A column of a table of pairs names its entity, and the relationship that leads there.
  mutating func addPairs() {
    for table in tables where table.kind == .table && table.name.uppercased().hasPrefix("Z_") {
      let sides = table.columns.map { $0.name.uppercased() }.filter { !$0.hasPrefix("Z_FOK_") }
      let found = sides.compactMap { side in
        side.hasPrefix("Z_") ? Self.numbered(side.dropFirst(2)) : nil
      }
      guard sides.count == 2 else { continue }
      func isOrdered(_ side: (Int64, String)) -> Bool {
        IndexedTable(table).column("Z_FOK_\(side.0)\(side.1)") != nil
      }
      if found.count == 1, sides.contains("REFLEXIVE"), let name = nameByNumber[found[0].0] {
        let own = found[0].1.lowercased()
        addRelationship(
          own, of: name, to: name, inverse: own, isToMany: true, isOrdered: isOrdered(found[0]))
      } else if found.count == 2, let first = nameByNumber[found[0].0],
        let second = nameByNumber[found[1].0]
      {
        for (owner, other, side, back) in [
          (first, second, found[1], found[0]), (second, first, found[0], found[1]),
        ] {
          addRelationship(
            side.1.lowercased(), of: owner, to: other, inverse: back.1.lowercased(),
            isToMany: true, isOrdered: isOrdered(side))
        }
      }
    }
  }
}
