import DatastoreCore

/// Filtering by the searched text.
extension BrowserState {
  /// Shows only the rows that match both the filter and the search; again to show all rows of the filter.
  mutating func toggleFoundFilter() {
    guard let table, let search = table.search, let entity else { return }
    guard let found = search.condition(table.columns, of: entity, in: schema) else {
      return tell(
        "No column that was searched has texts, or numbers that “\(search.text)” could be.",
        .warning)
    }
    var parts = table.query.filter?.conjuncts ?? []
    if let place = parts.firstIndex(of: found) {
      parts.remove(at: place)
    } else {
      parts.append(found)
    }
    setFilter(parts.count > 1 ? .and(parts) : parts.first)
  }
}

extension TableSearch {
  /// The condition that one of the columns has the text; numbers are compared as a whole. Nil if none can
  /// have it.
  fileprivate func condition(
    _ columns: [TableColumn], of entity: Entity, in schema: Schema
  ) -> Predicate? {
    let searched = self.columns.filter(columns.indices.contains).map { columns[$0] }
    let parts =
      text.words == nil
      ? searched.flatMap { column in
        column.searchedPaths.compactMap { text.condition(at: $0, of: entity, in: schema) }
      }
      : searched.filter(\.hasWords).map { .search(text.text, in: $0.name) }
    return parts.count > 1 ? .or(parts) : parts.first
  }
}

extension SearchText {
  fileprivate func condition(
    at path: [String], of entity: Entity, in schema: Schema
  ) -> Predicate? {
    guard let resolved = try? PredicatePath(path, from: entity, in: schema),
      case .attribute(let attribute) = resolved.destination
    else { return nil }
    if attribute.type == .string {
      return .comparison(
        Predicate.Comparison(
          .keyPath(path), .contains, .value(.text(text)), options: options))
    }
    guard attribute.type.isNumeric else { return nil }
    let number = Int64(text).map { Value.integer($0) } ?? Double(text).map { Value.real($0) }
    return number.map { .comparison(Predicate.Comparison(.keyPath(path), .equal, .value($0))) }
  }
}
