import DatastoreCore

/// All calls, by their names in messages.
enum FarCalls {
  static let all: [String: any FarCall.Type] = Dictionary(
    uniqueKeysWithValues: (stores + rows + questions + queries + writing).map {
      (String(describing: $0), $0)
    })

  private static let stores: [any FarCall.Type] = [
    OpenCall.self, ExternalChangesCall.self, ListenCall.self, TablesChangedCall.self,
    MarkSharedCall.self, SnapshotCall.self, MigrationHistoryCall.self, IndexesCall.self,
    TableDetailsCall.self, CheckSlotsCall.self, ChangedPropertiesCall.self,
    ReferenceValuesCall.self, IntegrityCall.self, CheckpointCall.self, AddEntitiesCall.self,
    RemoveEntitiesCall.self, IndexReferencesCall.self,
    CopyOutCall.self, CopyInCall.self,
  ]

  private static let rows: [any FarCall.Type] = [
    RowsCall.self, RelatedKeysCall.self, RelatedRowsCall.self, FetchCall.self, FindRowsCall.self,
    SameRowCall.self,
  ]

  private static let questions: [any FarCall.Type] = [
    QuestionCall<CountQuestion>.self, QuestionCall<EstimatedCountsQuestion>.self,
    QuestionCall<KeysQuestion>.self, QuestionCall<KeyListQuestion>.self,
    QuestionCall<LongListQuestion>.self, QuestionCall<KeyWindowQuestion>.self,
    QuestionCall<SectionsQuestion>.self, QuestionCall<KeysetQuestion>.self,
    QuestionCall<RowPlaceQuestion>.self, QuestionCall<ValuesQuestion>.self,
    QuestionCall<AggregatesQuestion>.self, QuestionCall<DistinctValuesQuestion>.self,
    QuestionCall<MatchingKeysQuestion>.self, QuestionCall<RelatedCountsQuestion>.self,
    QuestionCall<SuggestionsQuestion>.self, QuestionCall<FrequencyQuestion>.self,
    QuestionCall<StatisticsQuestion>.self, QuestionCall<HistogramQuestion>.self,
    QuestionCall<HistogramScaleQuestion>.self, QuestionCall<GroupedHistogramsQuestion>.self,
    QuestionCall<SQLQuestion>.self, QuestionCall<SQLNamesQuestion>.self,
  ]

  private static let queries: [any FarCall.Type] = [
    ValueQueryCall.self, SQLRowsCall.self, SQLPagesCall.self, QueryTextCall.self,
    MovedRowsCall.self, BaselineCall.self, DifferencesCall.self,
  ]

  private static let writing: [any FarCall.Type] = [
    SaveCall.self, OutcomeCall.self, UpdateCall.self, DeleteCall.self, ExecuteCall.self,
    MakeKeysCall.self,
    MakeKeyBesidesCall.self, ReserveCall.self, KeyValuesCall.self, KeyCall.self,
    BeginRowsCall.self, CommitRowsCall.self, AppendRowsCall.self, ReserveRowKeysCall.self,
    InsertRowsCall.self, FlushRowsCall.self, RowKeysCall.self, WriteRowsCall.self,
  ]
}
