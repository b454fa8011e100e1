import Basics
package import DatastoreCore

/// Makes entities and their mapping from the tables of a database.
package struct Reflector<Table: DescribedTable> {
  package let tables: [Table]
  private let dialect: any SQLDialect
  /// How columns store dates, by the exact keys of table and column.
  package var dates: [String: [String: DateConvention]] = [:]
  var entities: ByEntity<Draft> = []
  /// Entity index by the distinguishing form of the table's name.
  var entityByTable: [String: EntityIndex] = [:]
  private var entityNames: Set<String> = []

  /// An entity under construction; properties and slots grow together.
  struct Draft {
    let table: Int
    /// Its name: that of its table, but distinct from all others in Swift.
    let name: String
    var names: Set<String> = []
    /// The names that attributes have so far.
    var ownNames: Set<String> = []
    var properties: [PropertyDescription] = []
    var slots: BySlot<SlotMapping> = []
    var aliases: [String: [String]] = [:]
    /// The property of each column, by its exact key.
    var propertyOfColumn: [String: String] = [:]
    /// Whether its rows are the pairs of a relationship between other tables, which writes them.
    var isJoinTable = false
  }

  /// The indexes of words by the names of tables and columns, in lower case.
  private let wordIndexes: [String: [String: WordIndex]]
  /// Whether join tables are entities as well, after all others.
  private let showsJoinTables: Bool

  /// - Parameters:
  ///   - wordIndexes: the indexes of words by the names of tables and columns, in lower case.
  ///   - showsJoinTables: whether tables of pairs are entities, too, and not just relationships.
  package init(
    _ tables: [Table], dialect: any SQLDialect, wordIndexes: [String: [String: WordIndex]] = [:],
    showsJoinTables: Bool = false
  ) {
    self.tables = tables
    self.dialect = dialect
    self.showsJoinTables = showsJoinTables
    self.wordIndexes = wordIndexes
  }

  /// The index of a column's words, if the file has one.
  func wordIndex(of column: String, in table: Table) -> WordIndex? {
    wordIndexes[Table.distinguished(table.name)]?[Table.distinguished(column)]
  }

  package mutating func reflect() throws -> SchemaMapping {
    let joins = joinTables()
    for (index, table) in tables.enumerated() where !joins.contains(index) {
      entityByTable[Table.distinguished(table.name)] = addDraft(index)
    }
    let references = ByEntity(entities.indices.map { resolvedKeys(of: $0) })
    for entity in references.indices { addColumns(entity, references[entity]) }
    for entity in references.indices { addInverses(entity, references[entity]) }
    for table in joins.sorted() { addManyToMany(tables[table]) }
    if showsJoinTables {
      for table in joins.sorted() { addJoinEntity(table) }
    }
    let schema = try Schema(entities.indices.map(description))
    return SchemaMapping(
      schema: schema, entities: ByEntity(entities.indices.map(mapping)), isNative: false,
      dialect: dialect)
  }

  func table(_ entity: EntityIndex) -> Table { tables[entities[entity].table] }

  private func mapping(_ entity: EntityIndex) -> EntityMapping {
    let draft = entities[entity]
    let table = self.table(entity)
    let keySlot = draft.slots.firstIndex { slot in
      slot.attributeColumn.flatMap { table.rowidColumn?.isExactly($0.name) } ?? false
    }
    return EntityMapping(
      table: table.storedName, namespace: table.namespace, kind: table.kind, key: table.key,
      slots: draft.slots, declaration: table.declaration, isAutoincrement: table.isAutoincrement,
      unreadableReason: table.unreadableReason,
      allColumns: table.columns.map(\.name), keySlot: keySlot)
  }

  private func description(_ entity: EntityIndex) -> EntityDescription {
    let draft = entities[entity]
    let table = self.table(entity)
    var uniqueness: [[String]] = []
    let keys = table.indexes.filter(\.isUnique).map(\.columns) + [table.primaryKey]
    for columns in keys where columns.count > 1 {
      let names = columns.compactMap { draft.propertyOfColumn[$0.exactKey] }
      if names.count == columns.count, !uniqueness.contains(names) { uniqueness.append(names) }
    }
    var description = EntityDescription(
      name: draft.name, properties: draft.properties,
      uniqueness: uniqueness, isReadOnly: isReadOnly(entity), aliases: draft.aliases)
    if !draft.name.isExactly(table.name) { description.storedName = table.name }
    return description
  }

  /// Begins an entity. If names of tables differ only in Unicode normalization, and so are equal in Swift,
  /// all but the first get a number.
  mutating func addDraft(_ index: Int, isJoinTable: Bool = false) -> EntityIndex {
    let base = tables[index].name.isEmpty ? "unnamed" : tables[index].name
    var name = base
    var number = 2
    while !entityNames.insert(name).inserted {
      repeat {
        name = "\(base)_\(number)"
        number += 1
      } while tables.contains { $0.name == name }
    }
    return entities.append(Draft(table: index, name: name, isJoinTable: isJoinTable))
  }

  func isReadOnly(_ entity: EntityIndex) -> Bool {
    let table = table(entity)
    return !table.kind.isTable || table.key == .wholeRow || table.isReadOnly
      || entities[entity].isJoinTable
  }

  /// The first free name, or the last one with a number appended.
  func freeName(_ candidates: [String], in entity: EntityIndex) -> String {
    let candidates = candidates.filter { !$0.isEmpty }
    let taken = entities[entity].names
    if let free = candidates.first(where: { !taken.contains($0) }) { return free }
    let base = candidates.last ?? "unnamed"
    var number = 2
    while taken.contains("\(base)_\(number)") { number += 1 }
    return "\(base)_\(number)"
  }

  mutating func add(_ property: PropertyDescription, _ slot: SlotMapping, to entity: EntityIndex) {
    entities[entity].names.insert(property.name)
    entities[entity].properties.append(property)
    entities[entity].slots.append(slot)
  }

  /// Tables whose only columns are two foreign keys.
  private func joinTables() -> Set<Int> {
    let byName = Dictionary(
      tables.enumerated().map { (Table.distinguished($1.name), $0) },
      uniquingKeysWith: { a, _ in a })
    let candidates = Set(
      tables.indices.filter { index in
        let table = tables[index]
        return table.kind.isTable && table.columns.count == 2 && table.foreignKeys.count == 2
          && table.rowidColumn == nil
          && Set(table.foreignKeys.flatMap(\.columns).map(\.exactKey)).count == 2
          && table.foreignKeys.allSatisfy { $0.columns.count == 1 }
      })
    return candidates.filter { index in
      tables[index].foreignKeys.allSatisfy { key in
        guard let target = byName[Table.distinguished(key.table)], !candidates.contains(target)
        else {
          return false
        }
        return reference(key, from: tables[index], to: tables[target]) != nil
      }
        && !tables.contains { other in
          other.foreignKeys.contains {
            Table.distinguished($0.table) == Table.distinguished(tables[index].name)
          }
        }
    }
  }
}
