package import DatastoreCore

/// Turns requests into SQL for one mapping. One instance makes one statement.
package final class QueryBuilder {
  package let mapping: SchemaMapping
  private var aliasCount = 0
  /// A foreign key whose columns are known to hold only integers.
  package var integerReference: ForeignKey?
  /// A condition of requests that the engine cannot express, and a condition for the rows that meet it.
  package var replacement: (predicate: Predicate, condition: (QueryScope) -> SQLFragment)?

  package init(_ mapping: SchemaMapping) {
    self.mapping = mapping
  }

  package var schema: Schema { mapping.schema }
  package var dialect: any SQLDialect { mapping.dialect }

  /// An alias for one more table of the statement.
  package func makeAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// A table to select from, with the tables that to-one paths join to it.
  package func makeScope(_ entity: EntityIndex) -> QueryScope {
    QueryScope(entity: entity, alias: makeAlias())
  }

  /// `FROM table AS alias LEFT JOIN …`. Call it after everything that may add joins.
  package func from(_ scope: QueryScope) -> SQLFragment {
    let table =
      scope.source.map { "\($0) AS \(name: scope.alias)" } ?? table(scope.entity, scope.alias)
    guard let ranking = scope.ranking else { return " FROM \(table)\(scope.joins)" }
    return
      " FROM \(ranking.source)\(dialect.orderedJoin)\(table) ON \(ranking.condition)\(scope.joins)"
  }

  package func table(_ entity: EntityIndex, _ alias: String) -> SQLFragment {
    "\(mapping.entities[entity].qualifiedTable) AS \(name: alias)"
  }

  /// The table, joined to another one.
  package func table(_ entity: EntityIndex, beside alias: String) -> SQLFragment {
    "\(beside: mapping.entities[entity].qualifiedTable) AS \(name: alias)"
  }
}

/// One table of a `FROM` clause and its joins.
package final class QueryScope {
  package let entity: EntityIndex
  package let alias: String
  /// Joined tables by the path that leads to them, so that each is joined once.
  package var joined: [[String]: String] = [:]
  package var joins = SQLFragment()
  /// A source of rows instead of the entity's table.
  package var source: SQLFragment?
  /// The index of words that finds the rows, if they are sorted by their rank.
  package var ranking: WordRanking?

  package init(entity: EntityIndex, alias: String) {
    self.entity = entity
    self.alias = alias
  }
}
