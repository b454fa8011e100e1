import DatastoreSQL

/// Rules for the rows of every Core Data store that its own framework has written.
struct CoreDataRules {
  struct Rule {
    let table: String
    /// The fault of the rows: the end of a sentence.
    let text: String
    /// `SELECT count, least key, greatest key` of the rows that break it.
    let violations: SQLFragment
  }

  private(set) var all: [Rule] = []
  private let tables: CoreDataTables

  init(_ tables: CoreDataTables) {
    self.tables = tables
    for entity in tables.entities {
      if entity.parent == nil { addKeys(of: entity) }
      for relationship in entity.relationships {
        switch tables.places[entity.name]?[relationship.name] {
        case .toOne(let column): addReference(relationship, column.name, of: entity)
        case .toMany(let column, let order?):
          addOrder(order, of: column.name, relationship)
        case .pairs(let pairs): addPairs(pairs, relationship, of: entity)
        case .attribute, .toMany, nil: continue
        }
      }
    }
    addHistory()
  }

  private mutating func add(
    _ table: String, _ text: String, key: SQLFragment = "t.`Z_PK`", where condition: SQLFragment
  ) {
    all.append(
      Rule(
        table: table, text: text,
        violations: """
          SELECT count(*), min(\(key)), max(\(key)) FROM \(name: table) AS t WHERE \(condition)
          """))
  }

  /// Rules for references in the history to changed objects.
  private mutating func addHistory() {
    let known = ["changeType", "columns", "entity", "entityPK"]
    guard let change = tables.byName["CHANGE"], change.isOfFramework,
      known.allSatisfy({ tables.places["CHANGE"]?[$0] != nil })
    else { return }
    let table = tables.table(of: change).name
    add(
      table, "an update without what was changed, or another change with it",
      where: "(t.`ZCHANGETYPE` = 1) <> (t.`ZCOLUMNS` IS NOT NULL)")
    for root in tables.entities where root.parent == nil && !root.isOfFramework {
      add(
        table, "a deletion of what \(root.name) still has",
        where: """
          t.`ZCHANGETYPE` = 2 AND t.`ZENTITY` IN (\(numbers(of: root))) AND EXISTS (\
          SELECT 1 FROM \(name: tables.table(of: root).name) AS d WHERE d.`Z_PK` = t.`ZENTITYPK`)
          """)
    }
  }

  /// The numbers of an entity and its descendants, for `IN`.
  private func numbers(
    of entity: CoreDataModel.Entity, where isWanted: (CoreDataModel.Entity) -> Bool = { _ in true }
  ) -> SQLFragment {
    tables.family(of: entity).filter(isWanted).compactMap { tables.numbers[$0.name] }
      .map { "\(number: Int($0))" as SQLFragment }.joined(by: ", ")
  }

  private mutating func addKeys(of root: CoreDataModel.Entity) {
    let table = tables.table(of: root).name
    add(
      table, "the key is above the counter of \(root.name) in Z_PRIMARYKEY",
      where: """
        t.`Z_PK` > (SELECT `Z_MAX` FROM `Z_PRIMARYKEY` WHERE `Z_ENT` = \
        \(number: Int(tables.numbers[root.name] ?? 0)))
        """)
    add(
      table, "of no entity that has rows there (Z_ENT)",
      where: "ifnull(t.`Z_ENT` NOT IN (\(numbers(of: root) { !$0.isAbstract })), 1)")
  }

  private mutating func addReference(
    _ relationship: CoreDataModel.Relationship, _ column: String,
    of entity: CoreDataModel.Entity
  ) {
    guard let destination = tables.byName[relationship.destination] else { return }
    let name = "\(entity.name).\(relationship.name)"
    let table = tables.table(of: entity)
    let target = tables.table(of: destination).name
    // Rows of other entities may hold leftover values.
    let refers: SQLFragment = """
      t.`Z_ENT` IN (\(numbers(of: entity))) AND t.\(name: column) IS NOT NULL
      """
    add(
      table.name, "\(name) leads to no \(destination.name)",
      where: """
        \(refers) AND NOT EXISTS (SELECT 1 FROM \(name: target) AS d WHERE d.`Z_PK` = t.\(name: column) \
        AND d.`Z_ENT` IN (\(numbers(of: destination))))
        """)
    let kind = "Z\(tables.numbers[destination.name] ?? 0)_\(column.dropFirst())"
    if let kind = table.column(kind)?.name {
      add(
        table.name, "\(kind) is not the entity of what \(name) leads to",
        where: """
          \(refers) AND EXISTS (SELECT 1 FROM \(name: target) AS d WHERE d.`Z_PK` = t.\(name: column) \
          AND d.`Z_ENT` IS NOT t.\(name: kind))
          """)
    }
    guard
      let inverse = relationship.inverse.flatMap({ tables.declaring($0, in: destination.name) }),
      case .toOne(let back)? = tables.places[inverse.entity.name]?[inverse.relationship.name]
    else { return }
    add(
      table.name, "what \(name) leads to does not lead back",
      where: """
        \(refers) AND EXISTS (SELECT 1 FROM \(name: target) AS d WHERE d.`Z_PK` = t.\(name: column) \
        AND d.\(name: back.name) IS NOT t.`Z_PK`)
        """)
  }

  private mutating func addOrder(
    _ order: String, of column: String, _ relationship: CoreDataModel.Relationship
  ) {
    guard let destination = tables.byName[relationship.destination] else { return }
    add(
      tables.table(of: destination).name,
      "\(order) has a place where \(column) leads nowhere, or none where it leads somewhere",
      where: "(t.\(name: order) IS NULL) <> (t.\(name: column) IS NULL)")
  }

  private mutating func addPairs(
    _ pairs: JoinTable, _ relationship: CoreDataModel.Relationship, of entity: CoreDataModel.Entity
  ) {
    guard let destination = tables.byName[relationship.destination] else { return }
    let (own, other) = (pairs.ownColumns[0], pairs.otherColumns[0])
    // Its inverse has the same pairs, with these members as owners.
    add(
      pairs.table,
      "\(other) leads to no \(destination.name), as \(entity.name).\(relationship.name) has it",
      key: "t.\(name: own)",
      where: """
        NOT EXISTS (SELECT 1 FROM \(name: tables.table(of: destination).name) AS d \
        WHERE d.`Z_PK` = t.\(name: other))
        """)
    if let order = pairs.orderColumn {
      add(
        pairs.table, "\(order) has no place for the objects that it orders", key: "t.\(name: own)",
        where: "t.\(name: order) IS NULL")
    }
  }
}
