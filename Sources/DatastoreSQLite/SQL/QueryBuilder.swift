import DatastoreCore

/// Turns requests into SQL for one mapping. One instance makes one statement.
final class QueryBuilder {
  let mapping: SchemaMapping
  private var aliasCount = 0
  /// A foreign key whose columns are known to hold nothing but integers.
  var integerReference: ForeignKey?

  init(_ mapping: SchemaMapping) {
    self.mapping = mapping
  }

  var schema: Schema { mapping.schema }

  /// A name for one more table of the statement.
  func makeAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  /// A table to read from, with the tables that to-one paths join to it.
  func makeScope(_ entity: EntityIndex) -> QueryScope {
    QueryScope(entity: entity, alias: makeAlias())
  }

  /// `FROM table AS alias LEFT JOIN …`. Call it after everything that may add joins.
  func from(_ scope: QueryScope) -> SQLFragment {
    " FROM \(table(scope.entity, scope.alias))\(scope.joins)"
  }

  func table(_ entity: EntityIndex, _ alias: String) -> SQLFragment {
    "\(name: mapping.entities[entity].table) AS \(name: alias)"
  }
}

/// One table of a `FROM` clause and what is joined to it.
final class QueryScope {
  let entity: EntityIndex
  let alias: String
  /// Joined tables by the path that leads to them, so that each is joined once.
  var joined: [[String]: String] = [:]
  var joins = SQLFragment()

  init(entity: EntityIndex, alias: String) {
    self.entity = entity
    self.alias = alias
  }
}
