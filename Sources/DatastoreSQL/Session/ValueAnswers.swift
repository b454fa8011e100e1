package import DatastoreCore

// Questions whose answers are values, not objects.

extension ValuesQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [[Value]] {
    try session.asking(request) { builder, _ in
      try session.rows(builder.values(of: paths, in: request))
    }
  }
}

extension AggregatesQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [[Value]] {
    try session.asking(request) { builder, _ in try session.rows(builder.aggregates(self)) }
  }
}

extension DistinctValuesQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> [Value] {
    try session.reading(session.schema.entities[entity]) {
      try session.rows(QueryBuilder(session.mapping).distinctValues(self)).compactMap(\.first)
        .sorted { Value.compare($0, $1) == .ascending }
    }
  }
}

/// Finds a text as displayed in columns: a number by its digits, a date by its day, a case of an enum by its
/// name.
extension MatchingKeysQuestion: RenderedQuestion {
  package func answer(in session: some SQLSession) throws -> Set<RowKey> {
    // Equal rows that are their own key are numbered in the order of arrival; all of them match, or none.
    let isOfWholeRows = session.mapping.entities[entity].key == .wholeRow
    return try session.reading(session.schema.entities[entity]) {
      let query = try QueryBuilder(session.mapping).keys(matching: self) { key in
        guard let keys, !isOfWholeRows else { return nil }
        return session.isMember(key, of: keys, entity)
      }
      return Set(try session.keys(query, of: entity))
    }
  }
}
