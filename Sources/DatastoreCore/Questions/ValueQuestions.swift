/// The values of paths in the rows of a request, row by row.
package struct ValuesQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [[Value]]

  package let paths: [[String]]
  package let request: FetchRequest

  package init(of paths: [[String]], in request: FetchRequest) {
    self.paths = paths
    self.request = request
  }
}

/// Aggregates over groups of rows that share the values of paths, ordered by these; each row holds the values
/// of the paths, then the aggregates. Without paths there is one group, even of no rows.
package struct AggregatesQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [[Value]]

  package let terms: [AggregateTerm]
  package let request: FetchRequest
  package let paths: [[String]]

  package init(
    _ terms: [AggregateTerm], of request: FetchRequest, groupBy paths: [[String]] = []
  ) {
    self.terms = terms
    self.request = request
    self.paths = paths
  }
}

/// Distinct values of an attribute in all rows of an entity, without NULL, ascending.
///
/// Reading ends at `limit` values, so a property with many values is answered quickly and in part.
package struct DistinctValuesQuestion: EntityQuestion, Hashable, Codable {
  package typealias Answer = [Value]

  package let attribute: String
  package let entity: EntityIndex
  /// The beginning of values as text; ignores the case of ASCII letters.
  package let prefix: String
  package let limit: Int

  package init(of attribute: String, entity: EntityIndex, beginningWith prefix: String, limit: Int)
  {
    self.attribute = attribute
    self.entity = entity
    self.prefix = prefix
    self.limit = limit
  }
}

/// The keys of the rows that show a text in any of some columns.
package struct MatchingKeysQuestion: EntityQuestion, Hashable, Codable {
  package typealias Answer = Set<RowKey>

  package let text: String
  /// The differences to ignore: case, accents.
  package let options: Predicate.StringOptions
  package let paths: [[String]]
  package let entity: EntityIndex
  /// The rows to search; nil for all of the entity.
  package let keys: [RowKey]?
  /// The greatest number of rows in the answer.
  package let limit: Int?

  package init(
    containing text: String, _ options: Predicate.StringOptions = .caseInsensitive,
    at paths: [[String]], entity: EntityIndex, among keys: [RowKey]? = nil, limit: Int? = nil
  ) {
    self.text = text
    self.options = options
    self.paths = paths
    self.entity = entity
    self.keys = keys
    self.limit = limit
  }

  package var task: String { "Looking through columns" }
}

/// The number of saved members of a to-many relationship by owner; leaves out owners without members.
package struct RelatedCountsQuestion: EntityQuestion, Hashable, Codable {
  package typealias Answer = [RowKey: Int]

  package let entity: EntityIndex
  package let slot: Slot
  package let keys: [RowKey]

  package init(entity: EntityIndex, slot: Slot, keys: [RowKey]) {
    self.entity = entity
    self.slot = slot
    self.keys = keys
  }
}

/// Rows that have other keys now: see `ObjectStore.findRows(entity:equalTo:)`.
package struct MovedRowsQuestion: EntityQuestion, DispensableQuestion {
  package typealias Answer = [Int: RowKey]

  package let entity: EntityIndex
  package let rows: [RowReference]

  package init(entity: EntityIndex, equalTo rows: [RowReference]) {
    self.entity = entity
    self.rows = rows
  }

  /// In most stores, rows never get other keys by themselves.
  package var answerOfNone: [Int: RowKey] { [:] }
}

/// The relationships that names suggest and values confirm, in the order of tables and columns, with those
/// that were accepted or refused before. Reads some thousand rows of each table in question.
package struct SuggestionsQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = [RelationshipSuggestion]

  package init() {}

  package var task: String { "Suggesting relationships" }
}

/// One value computed over all rows of a group.
package enum AggregateTerm: Sendable, Hashable, Codable {
  /// The number of rows.
  case countRows
  case aggregate(Predicate.Aggregate, [String])
}

/// All rows of a query, in pages.
package struct ValueTableQuestion: ComposedQuestion {
  package typealias Answer = [RowPage]

  package let query: ValueQuery

  package init(_ query: ValueQuery) {
    self.query = query
  }

  package func entity(in schema: Schema) -> EntityIndex? {
    schema.entity(named: query.entity)?.index
  }

  package func answer(in transaction: any ReadTransaction) throws -> [RowPage] {
    var pages: [RowPage] = []
    try transaction.answer(
      query, includingGenerated: true, begin: { _ in },
      row: { page, row in if row == 0 { pages.append(page) } })
    return pages
  }
}
