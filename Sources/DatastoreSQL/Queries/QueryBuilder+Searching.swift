package import DatastoreCore

/// Finding a text in columns as displayed.
extension QueryBuilder {
  /// `SELECT key …` of the rows that show a text at one of the paths.
  ///
  /// - Parameter isAsked: a condition on the keys of the rows to search; nil for all.
  package func keys(
    matching question: MatchingKeysQuestion, where isAsked: (_ key: SQLFragment) -> SQLFragment?
  ) throws -> SQLFragment {
    let scope = makeScope(question.entity)
    let conditions = try question.paths.map { path in
      let attribute = attribute(at: path, of: question.entity)
      if let calculation = Calculation(path, of: schema.entities[question.entity]) {
        let value = try operand(at: calculation.path, in: scope).sql
        let shown = dialect.shownText(
          value, attribute?.type ?? .undefined, attribute?.dateConvention)
        return dialect.shows(shown, question.text, question.options)
      }
      let resolved = try resolve(path, in: scope)
      let shown = try named(
        attribute?.numberedCases ?? [], shownText(resolved, attribute?.dateConvention), resolved)
      return dialect.shows(shown, question.text, question.options)
    }
    let condition: SQLFragment =
      conditions.count == 1 ? conditions[0] : "(\(conditions.joined(by: " OR ")))"
    let key = self.key(question.entity, scope.alias)
    let among = isAsked(key).map { "\($0) AND " as SQLFragment } ?? ""
    let limit = question.limit.map { dialect.limit($0, offset: 0) } ?? ""
    return
      "SELECT \(key)\(from(scope)) WHERE \(among)\(condition)\(andIsMember(scope))\(limit)"
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
    guard !names.isEmpty, case .attribute(let column, _, _, _) = path else { return shown }
    let cases = names.map { "WHEN \(.integer($0.raw)) THEN \(.text($0.name))" as SQLFragment }
    return "CASE \(column) \(cases.joined(by: " ")) ELSE \(shown) END"
  }

  /// The value of a path as the text on a screen; NULL for blobs.
  private func shownText(
    _ path: ResolvedPath, _ dates: DateConvention?
  ) throws -> SQLFragment {
    if case .datePart(let part, _) = path { return part }
    guard case .attribute(let column, _, let type, _) = path else {
      return try "'#' || \(operand(path).sql)"
    }
    return dialect.shownText(column, type, dates)
  }
}
