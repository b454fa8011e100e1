import Basics
package import DatastoreCore

/// A key path resolved for SQL.
package enum ResolvedPath {
  /// The column of an attribute in the row `alias`, with its type.
  case attribute(SQLFragment, Column, AttributeType, alias: String)
  /// A part of a date in a column.
  case datePart(SQLFragment, DatePart)
  /// The key of an existing object.
  case key(SQLFragment, entity: EntityIndex)
  /// The key in a to-one relationship of the row `alias`.
  case reference(ForeignKey, alias: String)
  /// A to-many relationship of the row `alias`, and the rest of the path after it.
  case toMany(RelationshipLink, alias: String, rest: [String])
}

extension QueryBuilder {
  /// Follows a path from a scope, joining the tables of its to-one steps, up to its end or to its
  /// first to-many step.
  ///
  /// - Parameter entersLast: whether to join the table of a last to-one step, too, so that only existing
  ///   objects count.
  /// - Throws: `StoreError.unknownProperty`.
  func resolve(
    _ path: [String], in scope: QueryScope, entersLast: Bool = false
  ) throws -> ResolvedPath {
    var path = path
    var entity = scope.entity
    var alias = scope.alias
    var index = 0
    guard !path.isEmpty else { return .key(key(entity, alias), entity: entity) }
    while true {
      let described = schema.entities[entity]
      if described.slot(named: path[index]) == nil,
        let expansion = described.description.aliases[path[index]]
      {
        path.replaceSubrange(index...index, with: expansion)
      }
      guard let slot = described.slot(named: path[index]) else {
        if path[index] == PredicatePath.entityStep, index == path.count - 1 {
          return entityName(of: entity, alias)
        }
        throw StoreError.unknownProperty(entity: described.name, property: path[index])
      }
      let isLast = index == path.count - 1
      switch mapping.entities[entity].slots[slot] {
      case .attribute(let column):
        if index == path.count - 2, let part = DatePart(step: path[index + 1]),
          let dates = described.properties[slot].attribute?.dates
        {
          return .datePart(
            dialect.datePart(part, of: self.column(alias, column), dates), part)
        }
        guard isLast else {
          throw StoreError.unknownProperty(
            entity: described.name,
            property: path[index...].joined(separator: "."))
        }
        let type = described.properties[slot].attribute?.type ?? .undefined
        return .attribute(value(of: column, alias, in: scope), column, type, alias: alias)
      case .toOne(let foreign):
        if index == path.count - 2, path[index + 1] == PredicatePath.storedStep,
          let stored = described.links[slot].flatMap(schema.storedAttribute)
        {
          let column = foreign.columns[0]
          return .attribute(
            value(of: column, alias, in: scope), column, stored.type, alias: alias)
        }
        if isLast, !entersLast { return .reference(foreign, alias: alias) }
        // Also for a column that the foreign key duplicates: references may lead nowhere.
        alias = join(foreign, from: alias, path: Array(path[...index]), in: scope)
        entity = foreign.destination
        if isLast { return .key(key(entity, alias), entity: entity) }
        index += 1
      case .toManyForeignKey, .toManyJoin:
        guard let link = described.links[slot] else {
          trap("a to-many slot is a relationship")
        }
        return .toMany(link, alias: alias, rest: Array(path[(index + 1)...]))
      }
    }
  }

  /// The value in a column of a row that may not exist.
  private func value(
    of column: Column, _ alias: String, in scope: QueryScope
  ) -> SQLFragment {
    var value = self.column(alias, column)
    if alias != scope.alias { value.type?.mayBeNull = true }
    return dialect.operand(value)
  }

  /// The name of a row's entity; NULL if there is no row.
  private func entityName(of entity: EntityIndex, _ alias: String) -> ResolvedPath {
    guard let family = mapping.entities[entity].family else {
      let name: SQLFragment = "\(literal: schema.entities[entity].name)"
      let shown: SQLFragment = "CASE WHEN \(key(entity, alias)) IS NOT NULL THEN \(name) END"
      return .attribute(
        shown.typed(SQLType(.text)), Column(name: ""), .string, alias: alias)
    }
    return .attribute(
      family.entityName(alias).typed(SQLType(.text)),
      Column(name: family.isNumbered ? "" : family.discriminator), .string, alias: alias)
  }

  private func join(
    _ foreign: ForeignKey, from alias: String, path: [String], in scope: QueryScope
  ) -> String {
    if let known = scope.joined[path] { return known }
    let target = makeAlias()
    let values = referring(
      foreign.names.map { column(alias, $0) }, in: foreign.columns, to: foreign.destination,
      foreign.reference)
    scope.joins += """
       LEFT JOIN \(table(foreign.destination, beside: target)) \
      ON \(matches(foreign.destination, target, foreign.reference, values))
      """
    scope.joined[path] = target
    return target
  }
}
