import DatastoreCore

/// A view of an entity as it is kept between runs. It refers to everything by name, so that it can be
/// restored in a file whose tables have changed, as far as they still have what it needs.
struct KeptView: Hashable, Sendable, Codable {
  struct SortKey: Hashable, Sendable, Codable {
    var path: [String]
    /// Whether the key is the number of objects at the path.
    var isCount = false
    var ascending: Bool
    /// How text is folded before it is compared; nil if it is not.
    var options: Predicate.StringOptions?
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
  /// The statement of the SQL answer that the view shows; nil for a table of the file.
  var sql: String?
  /// The column settings of a named view; other views use those of the entity.
  var columns: ColumnSettings?

  var withoutCursor: KeptView {
    var view = self
    (view.column, view.row) = (nil, nil)
    return view
  }
}

extension KeptView {
  /// Captures the view of a table; nil for the members of a relationship, which are reached through their
  /// owner.
  init?(_ table: TableState, in schema: Schema) {
    guard table.query.scope == nil else { return nil }
    entity = schema.entities[table.query.entity].name
    filter = table.query.filterText
    order = table.query.order.map { key in
      let options = key.options.isEmpty ? nil : key.options
      if case .count(let path) = key.operand {
        return SortKey(path: path, isCount: true, ascending: key.ascending, options: options)
      }
      return SortKey(path: key.operand.path, ascending: key.ascending, options: options)
    }
    groupBy = table.query.groupBy
    sectionOrder = table.query.sectionOrder
    folds = table.folds
    column = table.currentColumn?.name
    if case .row(let key)? = table.anchor { row = key.rawValue }
  }

  /// The table with this view, as far as the schema has what it needs; nil without the entity.
  ///
  /// - Parameter hasRowids: whether the keys of an entity are the same as in the last run.
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
        ascending: key.ascending, options: key.options ?? [])
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
  /// Whether rows can be sorted by the value at a path.
  func sorts(by path: [String], _ entity: Entity) -> Bool {
    leads(path, from: entity) || SortDescriptor(path).isRank(of: entity)
  }

  /// Whether a path leads to a property; the empty path is the object's own key.
  func leads(_ path: [String], from start: Entity) -> Bool {
    (try? PredicatePath(path, from: start, in: self)) != nil
  }
}
