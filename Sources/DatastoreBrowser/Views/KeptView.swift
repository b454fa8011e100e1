import DatastoreCore

/// A view of one entity as it outlives the program: everything by name, so that it is found again in a file
/// whose tables have changed, as far as they still have what it needs.
struct KeptView: Hashable, Sendable, Codable {
  /// One key of the sort order.
  struct SortKey: Hashable, Sendable, Codable {
    var path: [String]
    /// Whether it is the number of objects at the path.
    var isCount = false
    var ascending: Bool
  }

  var entity: String
  /// The condition in the predicate format language; empty for all rows.
  var filter = ""
  var order: [SortKey] = []
  var groupBy: [String]?
  var sectionOrder: SectionOrder?
  var folds = SectionFolds()
  /// The column under the cursor.
  var column: String?
  /// The key of the row under the cursor; it means the same row later only in tables with row ids.
  var row: Int64?
  /// The statement whose answer it is a view of; nil for a table of the file.
  var sql: String?
  /// What is decided about the columns, in views with a name; others follow what is decided for the entity.
  var columns: ColumnSettings?

  /// The same without the cursor.
  var withoutCursor: KeptView {
    var view = self
    (view.column, view.row) = (nil, nil)
    return view
  }
}

extension KeptView {
  /// The view that a table shows; nil for the members of a relationship, which are found by going there.
  init?(_ table: TableState, in schema: Schema) {
    guard table.query.scope == nil else { return nil }
    entity = schema.entities[table.query.entity].name
    filter = table.query.filterText
    order = table.query.order.map { key in
      if case .count(let path) = key.operand {
        return SortKey(path: path, isCount: true, ascending: key.ascending)
      }
      return SortKey(path: key.operand.path, ascending: key.ascending)
    }
    groupBy = table.query.groupBy
    sectionOrder = table.query.sectionOrder
    folds = table.folds
    column = table.currentColumn?.name
    if case .row(let key)? = table.anchor { row = key.rawValue }
  }

  /// The table that shows it, as far as the schema has what it needs; nil without the entity.
  ///
  /// - Parameter hasRowids: whether the keys of the entity are those of the last time.
  func table(
    in schema: Schema, _ settings: TableSettings, hasRowids: (Entity) -> Bool
  ) -> TableState? {
    guard let entity = schema.entity(named: entity) else { return nil }
    var query = TableQuery(entity: entity.index)
    let derived = (columns ?? settings.columns[self.entity])?.derived ?? []
    let naming = ColumnDefinitions(entity, in: schema, derived: derived).naming
    if !filter.isEmpty,
      let predicate = try? Predicate.parse(
        filter, entity: naming.entities[entity.index], in: naming)
    {
      (query.filter, query.filterText) = (predicate, filter)
    }
    query.order = order.filter { schema.sorts(by: $0.path, entity) }.map { key in
      SortDescriptor(
        key.isCount
          ? .count(key.path) : Predicate.Operand(at: key.path, of: entity, in: schema),
        ascending: key.ascending)
    }
    query.groupBy = groupBy.flatMap { schema.leads($0, from: entity) ? $0 : nil }
    query.sectionOrder = query.groupBy == nil ? nil : sectionOrder
    var table = TableState(query: query, title: entity.name, schema: schema, settings: settings)
    if query.groupBy != nil { table.adopt(folds) }
    if let index = table.columns.firstIndex(where: { $0.name == column }),
      table.arrangement.position(of: index) != nil
    {
      table.column = index
    }
    if let row, hasRowids(entity) { table.want(RowKey(row)) }
    return table
  }
}

extension Schema {
  /// Whether rows can be sorted by what a path leads to.
  func sorts(by path: [String], _ entity: Entity) -> Bool {
    leads(path, from: entity) || SortDescriptor(path).isRank(of: entity)
  }

  /// Whether there is a property at the end of a path; the empty one is the object's own key.
  func leads(_ path: [String], from start: Entity) -> Bool {
    (try? PredicatePath(path, from: start, in: self)) != nil
  }
}
