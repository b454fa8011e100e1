package import DatastoreCore

/// Finding a text in one column, as people read it there.
extension QueryBuilder {
  /// `SELECT key …` of the rows whose value at a path contains a text.
  package func keys(
    containing text: String, at path: [String], entity: EntityIndex, among keys: [RowKey]?
  ) throws -> SQLFragment {
    let scope = makeScope(entity)
    let resolved = try resolve(path, in: scope)
    let attribute = attribute(at: path, of: entity)
    let shown = try named(
      attribute?.numberedCases ?? [], shownText(resolved, attribute?.dateConvention), resolved)
    let condition = dialect.shows(shown, text)
    let key = self.key(entity, scope.alias)
    var among: SQLFragment = ""
    if let keys {
      among = "\(dialect.isMember(key, of: "\(dialect.keyList(keys.map(\.rawValue)))")) AND "
    }
    return "SELECT \(key)\(from(scope)) WHERE \(among)\(condition)\(andIsMember(scope))"
  }

  /// The attribute at a path; nil for relationships.
  private func attribute(at path: [String], of entity: EntityIndex) -> AttributeDescription? {
    let resolved = try? PredicatePath(path, from: schema.entities[entity], in: schema)
    guard case .attribute(let attribute)? = resolved?.destination else { return nil }
    return attribute
  }

  private func named(
    _ names: [(raw: Int64, name: String)], _ shown: SQLFragment, _ path: ResolvedPath
  ) -> SQLFragment {
    guard !names.isEmpty, case .attribute(let column, _, _) = path else { return shown }
    let cases = names.map { "WHEN \(.integer($0.raw)) THEN \(.text($0.name))" as SQLFragment }
    return "CASE \(column) \(cases.joined(by: " ")) ELSE \(shown) END"
  }

  /// The value of a path as the text that stands for it on a screen; NULL for blobs.
  private func shownText(
    _ path: ResolvedPath, _ dates: DateConvention?
  ) throws -> SQLFragment {
    if case .datePart(let part, _) = path { return part }
    guard case .attribute(let column, _, let type) = path else {
      return try "'#' || \(operand(path).sql)"
    }
    return dialect.shownText(column, type, dates)
  }
}
