import DatastoreCore
import GRDB
import GRDBSQLite

/// Finding a text in one column, as people read it there: a number by its digits, a date by its day, a
/// case of an enum by its name.
extension SQLiteReadTransaction {
  func answer(_ question: MatchingKeysQuestion) throws -> Set<Int64> {
    let entity = schema.entities[question.entity]
    return try store.reading(entity) {
      // Equal rows of a view are counted in the order in which they come; all of them match, or none.
      var counter = occurrences(of: entity)
      let statement = try RawStatement(
        QueryBuilder(mapping).keys(
          containing: question.text, at: question.path, entity: question.entity,
          among: counter == nil ? question.keys : nil),
        in: database)
      var found: Set<Int64> = []
      while try statement.step() {
        let key = sqlite3_column_int64(statement.pointer, 0)
        found.insert(try counter?.key(key) ?? key)
      }
      return found
    }
  }
}

extension QueryBuilder {
  /// `SELECT key …` of the rows whose value at a path contains a text.
  fileprivate func keys(
    containing text: String, at path: [String], entity: EntityIndex, among keys: [Int64]?
  ) throws -> SQLFragment {
    let scope = makeScope(entity)
    let resolved = try resolve(path, in: scope)
    let attribute = attribute(at: path, of: entity)
    let shown = try named(
      attribute?.numberedCases ?? [], shownText(resolved, attribute?.dateConvention), resolved)
    let condition = Self.contains(shown, text)
    let key = self.key(entity, scope.alias)
    var among: SQLFragment = ""
    if let keys {
      among = "\(key) IN (SELECT value FROM json_each(\(.text(keys.jsonText)))) AND "
    }
    return "SELECT \(key)\(from(scope)) WHERE \(among)\(condition)\(andIsMember(scope))"
  }

  /// SQLite's own LIKE knows the case of ASCII letters, and is many times faster than our folding.
  private static func contains(_ shown: SQLFragment, _ text: String) -> SQLFragment {
    guard text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) else {
      let option = Int(Predicate.StringOptions.caseInsensitive.rawValue)
      return """
        instr(datastore_fold(\(shown), \(number: option)), \
        datastore_fold(\(.text(text)), \(number: option))) > 0
        """
    }
    let pattern = text.reduce(into: "%") { pattern, character in
      if "%_\\".contains(character) { pattern.append("\\") }
      pattern.append(character)
    }
    return "\(shown) LIKE \(.text(pattern + "%")) ESCAPE '\\'"
  }

  /// The attribute at a path; nil for relationships.
  private func attribute(at path: [String], of entity: EntityIndex) -> AttributeDescription? {
    let resolved = try? PredicatePath(path, from: schema.entities[entity], in: schema)
    guard case .attribute(let attribute)? = resolved?.destination else { return nil }
    return attribute
  }

  /// A number that is shown as a date, in a column of another program; nil where text is stored.
  private func shownDate(_ column: SQLFragment, _ dates: DateConvention?) -> SQLFragment? {
    guard let dates, !dates.isText else { return nil }
    return "datastore_date_text(\(column), \(number: dates.code))"
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
    if let shown = shownDate(column, dates) { return shown }
    let plain: SQLFragment =
      "CASE WHEN typeof(\(column)) <> 'blob' THEN CAST(\(column) AS TEXT) END"
    switch type {
    case .boolean: return "CASE \(column) WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE \(plain) END"
    case .date:
      // Dates count seconds from 2001-01-01.
      return """
        CASE WHEN typeof(\(column)) IN ('integer', 'real') \
        THEN strftime('%Y-%m-%d %H:%M:%S', \(column) + 978307200, 'unixepoch') ELSE \(plain) END
        """
    case .uuid:
      let hex: SQLFragment = "hex(\(column))"
      let groups = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, length in
        "substr(\(hex), \(number: start), \(number: length))" as SQLFragment
      }.joined(by: " || '-' || ")
      return """
        CASE WHEN typeof(\(column)) = 'blob' AND length(\(column)) = 16 THEN \(groups) \
        ELSE \(plain) END
        """
    default: return plain
    }
  }
}
