import Basics
import DatastoreCore

/// New names for tables of a file and their columns.
package struct NameChanges {
  /// By the name of a table.
  package var tables: [String: String] = [:]
  /// By the old name of a table, then by the old name of a column.
  package var columns: [String: [String: String]] = [:]

  package init() {}

  package func table(_ name: String) -> String { tables[name] ?? name }

  package func column(_ name: String, of table: String) -> String { columns[table]?[name] ?? name }
}

extension SchemaMapping {
  /// The mapping after renaming tables and columns.
  package func renaming(_ changes: NameChanges) -> SchemaMapping {
    let slots = ByEntity(
      schema.entities.map { entity in
        BySlot(
          entity.slots.map { slot in
            renaming(self.entities[entity.index].slots[slot], slot, of: entity, changes)
          })
      })
    let renamed = schema.entities.map { entity -> EntityMapping in
      let mapped = self.entities[entity.index]
      var key = mapped.key
      if case .rowid(let name) = key { key = .rowid(changes.column(name, of: mapped.table)) }
      let family = mapped.family.map {
        FamilyMapping(
          entity, in: schema,
          discriminator: changes.column($0.discriminator, of: mapped.table), slots: slots)
      }
      var renamed = EntityMapping(
        table: changes.table(mapped.table), kind: mapped.kind, key: key,
        slots: slots[entity.index],
        orderColumns: mapped.orderColumns.map { changes.column($0, of: mapped.table) },
        family: family)
      renamed.distribution = mapped.distribution.map {
        TableDistribution(
          column: changes.column($0.column, of: mapped.table), isSpread: $0.isSpread)
      }
      return renamed
    }
    return SchemaMapping(
      schema: schema, entities: ByEntity(renamed), isNative: isNative, dialect: dialect)
  }

  private func renaming(
    _ mapped: SlotMapping, _ slot: Slot, of entity: Entity, _ changes: NameChanges
  ) -> SlotMapping {
    let table = entities[entity.index].table
    switch mapped {
    case .attribute(var column):
      column.name = changes.column(column.name, of: table)
      // It is created again when all tables have their new names.
      column.wordIndex = nil
      return .attribute(column)
    case .toOne(var key):
      for index in key.columns.indices {
        key.columns[index].name = changes.column(key.columns[index].name, of: table)
      }
      return .toOne(key)
    case .toManyForeignKey(let inverse, let order):
      let destination = entity.links[slot].map { entities[$0.destination].table } ?? table
      return .toManyForeignKey(
        inverseSlot: inverse, orderColumn: order.map { changes.column($0, of: destination) })
    case .toManyJoin(var join):
      let table = join.table
      func column(_ name: String) -> String { changes.column(name, of: table) }
      join.table = changes.table(table)
      join.ownColumns = join.ownColumns.map(column)
      join.otherColumns = join.otherColumns.map(column)
      join.orderColumn = join.orderColumn.map(column)
      join.otherOrderColumn = join.otherOrderColumn.map(column)
      return .toManyJoin(join)
    }
  }
}

extension EntityMapping {
  /// The key column of a native table.
  package var keyColumn: String {
    guard case .rowid(let name) = key else {
      trap("every table of a native file has integer keys")
    }
    return name
  }
}

extension SQLFragment {
  /// The name at the beginning of a column definition.
  package var leadingName: String {
    guard case .name(let name)? = segments.first else {
      trap("a definition begins with a name")
    }
    return name
  }

  /// Whether its own text contains the words.
  package func says(_ words: String) -> Bool {
    segments.contains { segment in
      if case .text(let text) = segment { return text.contains(words) }
      return false
    }
  }

  /// The definition of a column without its default, which affects no stored row.
  package var withoutDefault: SQLFragment {
    var fragment = self
    if let place = segments.firstIndex(of: .text(" DEFAULT ")) {
      fragment.segments = Array(segments[..<place])
    }
    return fragment
  }

  /// The fragment after DEFAULT in a column definition; nil if there is none.
  package var defaultValue: SQLFragment? {
    guard let place = segments.firstIndex(of: .text(" DEFAULT ")) else { return nil }
    var fragment = self
    fragment.segments = Array(segments[(place + 1)...])
    return fragment
  }

  /// Whether it consists only of values, and so is the same for every row.
  package var isConstant: Bool {
    var hasValue = false
    for segment in segments {
      switch segment {
      case .binding, .literal: hasValue = true
      case .name, .parameter, .refusal: return false
      case .text, .fence: continue
      }
    }
    return hasValue
  }
}
