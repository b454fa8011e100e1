/// A question about what is saved: a value that says what is asked, with the type of its answer.
///
/// `ReadableStore.answer(_:)` answers it, waiting for the store or without blocking a thread; a
/// `ReadTransaction` answers any number of them about one state of the store.
package protocol StoreQuestion<Answer>: Sendable {
  associatedtype Answer: Sendable

  /// Asks it there: a transaction has an `answer(_:)` for each kind of question.
  func answer(in transaction: any ReadTransaction) throws -> Answer

  /// The entity whose store is asked; nil for what is asked of a store as a whole.
  func entity(in schema: Schema) -> EntityIndex?
}

extension StoreQuestion {
  package func entity(in schema: Schema) -> EntityIndex? { nil }
}

/// A question about the rows of a request.
package protocol RequestQuestion: StoreQuestion {
  var request: FetchRequest { get }
}

extension RequestQuestion {
  package func entity(in schema: Schema) -> EntityIndex? {
    schema.entity(named: request.entity)?.index
  }
}

/// A question about rows of an entity.
package protocol EntityQuestion: StoreQuestion {
  var entity: EntityIndex { get }
}

extension EntityQuestion {
  package func entity(in schema: Schema) -> EntityIndex? { entity }
}

/// One state of a store, for as long as it is read. Belongs to the closure that it is given to.
///
/// All throw `StoreError`, and `CancellationError` when the task that asks is cancelled.
package protocol ReadTransaction {
  func answer(_ question: CountQuestion) throws -> Int
  func answer(_ question: EstimatedCountsQuestion) throws -> [EntityIndex: Int]
  func answer(_ question: KeysQuestion) throws -> [RowKey]
  func answer(_ question: KeyListQuestion) throws -> KeyList
  func answer(_ question: SectionsQuestion) throws -> [KeyList.Section]
  func answer(_ question: KeysetQuestion) throws -> Bool

  func answer(_ question: ValuesQuestion) throws -> [[Value]]
  func answer(_ question: AggregatesQuestion) throws -> [[Value]]
  func answer(_ question: DistinctValuesQuestion) throws -> [Value]
  func answer(_ question: MatchingKeysQuestion) throws -> Set<RowKey>
  func answer(_ question: RelatedCountsQuestion) throws -> [RowKey: Int]
  func answer(_ question: MovedRowsQuestion) throws -> [Int: RowKey]

  func answer(_ question: FrequencyQuestion) throws -> FrequencyTable
  func answer(_ question: StatisticsQuestion) throws -> ColumnStatistics
  func answer(_ question: HistogramQuestion) throws -> Histogram?
  func answer(_ question: HistogramScaleQuestion) throws -> HistogramScale?
  func answer(_ question: GroupedHistogramsQuestion) throws -> [GroupedHistogramsQuestion.Group]

  func answer(_ question: BaselineQuestion) throws -> any StoreBaseline
  func answer(_ question: DifferencesQuestion) throws -> StoreDifferences

  func answer(_ question: SQLQuestion) throws -> SQLAnswer
  func answer(_ question: SQLPagesQuestion) throws
  func answer(_ question: SQLNamesQuestion) throws -> [SQLNamesQuestion.Table]
  func answer(_ question: SuggestionsQuestion) throws -> [RelationshipSuggestion]

  /// Answers a query row by row: some hundred rows are kept at most, and none for longer than a moment while
  /// others are being read.
  ///
  /// - Parameters:
  ///   - includingGenerated: whether all columns (`*`) include those that the store computes.
  ///   - begin: called once with the columns, before the first row.
  ///   - row: called for each row with the page that holds it, and its number there.
  /// - Throws: also what the closures throw.
  func answer(
    _ query: ValueQuery, includingGenerated: Bool, begin: ([AnswerColumn]) throws -> Void,
    row: (RowPage, Int) throws -> Void
  ) throws

  /// The SQL of a query, with its values written out.
  ///
  /// - Throws: like answering it.
  func sql(of query: ValueQuery) throws -> String

  /// Answers one statement of SQL that reads, row by row.
  ///
  /// - Throws: `SQLTextError` for a statement that is wrong, or writes; as for other queries.
  func answer(
    sql: String, begin: ([AnswerColumn]) throws -> Void, row: (RowPage, Int) throws -> Void
  ) throws
}

extension ReadTransaction {
  /// Files keep no numbers of rows.
  package func answer(_ question: EstimatedCountsQuestion) throws -> [EntityIndex: Int] { [:] }
}
