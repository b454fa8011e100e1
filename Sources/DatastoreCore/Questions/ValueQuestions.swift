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

/// Terms over groups of rows that share the values of paths, ordered by these; each row holds the values
/// of the paths, then those of the terms. Without paths there is one group, even of no rows.
package struct AggregatesQuestion: RequestQuestion, Hashable, Codable {
  package typealias Answer = [[Value]]

  package let terms: [AggregateTerm]
  package let request: FetchRequest
  package let paths: [[String]]
  /// All of them hold for the groups of the answer.
  package let conditions: [GroupCondition]

  package init(
    _ terms: [AggregateTerm], of request: FetchRequest, groupBy paths: [[String]] = [],
    having conditions: [GroupCondition] = []
  ) {
    self.terms = terms
    self.request = request
    self.paths = paths
    self.conditions = conditions
  }
}

/// Different values of an attribute in all rows of an entity, NULL left out, ascending.
///
/// Reading ends when there are `limit` of them, so that of a property of many values some are answered,
/// and quickly.
package struct DistinctValuesQuestion: EntityQuestion, Hashable, Codable {
  package typealias Answer = [Value]

  package let attribute: String
  package let entity: EntityIndex
  /// What values begin with as text; ASCII letters count in either case.
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

/// The keys of the rows of which one column or another shows a text.
package struct MatchingKeysQuestion: EntityQuestion, Hashable, Codable {
  package typealias Answer = Set<RowKey>

  package let text: String
  /// What is ignored: the case of letters, their accents.
  package let options: Predicate.StringOptions
  package let paths: [[String]]
  package let entity: EntityIndex
  /// The rows that are looked at; all of the entity without them.
  package let keys: [RowKey]?
  /// How many rows are answered at most.
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

/// The number of saved members of a to-many relationship by owner; owners without members are left out.
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

/// Rows that have come to have other keys: see `ObjectStore.findRows(entity:equalTo:)`.
package struct MovedRowsQuestion: EntityQuestion, DispensableQuestion {
  package typealias Answer = [Int: RowKey]

  package let entity: EntityIndex
  package let rows: [RowReference]

  package init(entity: EntityIndex, equalTo rows: [RowReference]) {
    self.entity = entity
    self.rows = rows
  }

  /// Rows of most stores never get other keys by themselves.
  package var answerOfNone: [Int: RowKey] { [:] }
}

/// The relationships that names suggest and values bear out, in the order of tables and columns, with those
/// that were accepted or refused before. Reads some thousand rows of each table in question.
package struct SuggestionsQuestion: StoreQuestion, Hashable, Codable {
  package typealias Answer = [RelationshipSuggestion]

  package init() {}

  package var task: String { "Suggesting relationships" }
}

/// One value that is computed over all rows of a group.
package enum AggregateTerm: Sendable, Hashable, Codable {
  /// The number of rows.
  case countRows
  /// The number of rows that have a value there.
  case count([String])
  case aggregate(Predicate.Aggregate, [String])
}

/// A condition on groups: the term compared with a value.
package struct GroupCondition: Sendable, Hashable, Codable {
  package let term: AggregateTerm
  package let comparator: Predicate.Comparator
  package let value: Value

  package init(_ term: AggregateTerm, _ comparator: Predicate.Comparator, _ value: Value) {
    self.term = term
    self.comparator = comparator
    self.value = value
  }
}

/// All rows of a query's answer, in pages.
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
