import Basics
package import DatastoreCore
package import Gates

/// The rows of one file, read whenever they are requested.
///
/// Their types are those of the beginning of the file until it has been read to its end once. Then they are
/// confirmed, or reading throws `GuessedTypes.Refuted`.
package final class FileRows: RowSource {
  private struct State {
    /// The number of records whose faults were reported.
    var toldCount = 0
    var report = LoadReport()
    /// The places of every `RowStream.stride`th row, beginning with the first.
    var places: [Int] = []
    /// The irregular records; the report has that of the header row.
    var irregular = IrregularRecords()
    var isConfirmed = false
    /// Whether the types of all requested columns are those of the whole file.
    var isAnswered = false
    var hasReportedMarks = false
    /// The columns whose texts are kept beside the rows.
    var keptColumns: [Slot?] = []
    /// The texts of the rows that were read last, and the key of the first of these.
    var texts: (first: Int64, count: Int, texts: RowTexts)?
    var failure: (any Error)?
  }

  package let schema: Schema
  package let entity: Entity
  private let plan: LoadPlan
  /// The file, with the details known about its columns.
  package let source: LoadSource
  /// The type of its reader.
  private let form: ObjectIdentifier
  /// How many records are read together at first.
  private let firstBatch: Int
  private let found: InferredSchema
  private let guess: GuessedTypes?
  private let notify: @Sendable (LoadEvent) -> Void
  private let state: Lock<State>

  /// Examines the beginning of a file.
  ///
  /// - Parameters:
  ///   - isGuess: whether types are those of the beginning, and if the plan is limited, of not more records
  ///     than that; otherwise all of the file is read for them.
  ///   - notify: receives records that are left out, on any thread.
  /// - Returns: nil if the plan is not that of the rows of one file.
  /// - Throws: `ImportError`, `SchemaError`, `LoadError.unfit`.
  package init?(
    _ plan: LoadPlan, isGuess: Bool, _ notify: @escaping @Sendable (LoadEvent) -> Void
  ) throws {
    let whole = plan.limited(to: nil)
    guard plan.sources.count == 1, var source = whole.sources.first, plan.streamsRows(of: source)
    else { return nil }
    let reader = try source.makeReader()
    form = ObjectIdentifier(type(of: reader))
    let most = plan.sources[0].reading.mostRecords
    firstBatch = max(1, min(most ?? .max, LoadOptions().batchSize))
    var found = try (isGuess ? plan : whole).inferredSchema(
      sampleSize: isGuess ? ByteInput.typeSampleSize : nil
    ) { _ in }
    if isGuess, most != nil { found.observed[0]?.isWhole = false }
    guard let entity = found.schema.entities.first else { return nil }
    self.found = found
    schema = found.schema
    self.entity = entity
    self.plan = whole
    source.reading.json.members = found.observed[0]?.members
    self.source = source
    self.notify = notify
    guess = found.isGuess ? GuessedTypes(found) : nil
    var state = State()
    state.isConfirmed = guess == nil
    state.isAnswered = guess == nil
    if let header = (reader as? CSVReader)?.irregularHeader {
      state.report.irregular.record(header)
    }
    state.report.notes = reader.notes.map { "\(source.name): \($0)." }
    if guess == nil { state.report.notes += found.notes }
    self.state = Lock(state)
  }

  /// The results so far, and notes for the user.
  package var report: LoadReport {
    state.withLock { state in
      var report = state.report
      report.irregular.add(state.irregular)
      if state.isAnswered { return report }
      // A sentence about the part that was read.
      let told = found.observed[0]?.irregularSentence.map(sentence)
      report.notes += found.notes.filter { $0 != told }
      report.notes += [report.irregular.sentence.map(sentence)].compactMap(\.self)
      return report
    }
  }

  private func sentence(_ text: String) -> String { "\(source.name): \(text)." }

  /// The error that has ended reading; nil if it has not failed.
  package var failure: (any Error)? { state.withLock { $0.failure } }

  /// Whether reading has ended because the types are not those of the beginning of the file.
  package var isRefuted: Bool { failure is GuessedTypes.Refuted }

  /// Whether each record so far is a row.
  package var areAllRows: Bool { state.withLock { $0.report.skippedRows == 0 } }

  /// The place of the first row of a stride: see `RowStream`. Nil before it was read.
  package func place(ofStride number: Int) -> Int? {
    state.withLock { $0.places.indices.contains(number) ? $0.places[number] : nil }
  }

  /// Whether the columns and types are those of the whole file.
  package var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

  /// Keeps the texts of columns from now on, for callers that request all rows as they arrive.
  package func keepTexts(of columns: [Slot?]) { state.withLock { $0.keptColumns = columns } }

  /// The texts of a row that was read just now, together with the batch; nil for others.
  package func texts(of key: RowKey) -> RowTexts? {
    state.withLock { state in
      guard let (first, count, texts) = state.texts, key.rawValue >= first,
        key.rawValue - first < count
      else { return nil }
      return texts.row(Int(key.rawValue - first), ofColumns: state.keptColumns.count)
    }
  }

  package func makePages(of wanted: SlotSet) throws -> any RowPages {
    try makePages(of: wanted, keeping: state.withLock { $0.keptColumns })
  }

  private func makePages(of wanted: SlotSet, keeping kept: [Slot?]) throws -> any RowPages {
    let skipped = columns(skippedFor: wanted)
    let stream = RowStream()
    let keys = Lock<Int64>(1)
    let (entity, source) = (self.entity, self.source)
    // Confirmed columns need not be counted again.
    let guess = isConfirmed ? nil : self.guess
    let dateOrders = found.observed[0]?.dateOrders
    stream.start(
      source, form, batchSize: LoadOptions().batchSize, firstBatch: firstBatch,
      reserveKeys: { count in
        RowKey(
          keys.withLock { next in
            defer { next += Int64(count) }
            return next
          })
      },
      {
        var reader = source.rowReader(
          $0, as: entity, dateOrders: dateOrders, guess: guess, skipping: skipped)
        reader.keptColumns = kept.map(reader.cells.place)
        return reader
      })
    return Pages(of: self, skipping: skipped, keepsTexts: !kept.isEmpty, stream)
  }

  /// The columns that can be skipped if only `wanted` are needed: those in which no value is invalid, and
  /// which say nothing about the dates of others.
  private func columns(skippedFor wanted: SlotSet) -> Set<String> {
    guard case .entity(let content) = source.content else { return [] }
    return entity.properties.compactMap(\.attribute).reduce(into: []) { skipped, attribute in
      guard let slot = entity.slot(named: attribute.name), !wanted.contains(slot),
        attribute.isSkippable, !content.saysType(of: attribute.name),
        guess?.isCertain(attribute.name, ofFile: 0) != false
      else { return }
      skipped.insert(attribute.name)
    }
  }

  /// Reads the file to its end unless that was done, so that its types are known.
  ///
  /// - Throws: the errors of reading; `GuessedTypes.Refuted`.
  package func confirm() throws {
    if state.withLock({ $0.isAnswered }) { return }
    let pages = try makePages(
      of: SlotSet(entity.properties.compactMap { entity.slot(named: $0.name) }), keeping: [])
    defer { pages.close() }
    while try pages.next() != nil {}
  }

  /// Reports the records of a batch, once.
  fileprivate func record(_ batch: RowStream.Batch, keepsTexts: Bool) {
    let new = state.withLock { state -> [LoadFault] in
      if keepsTexts, let first = batch.pages.first?.key(ofRow: 0) {
        let count = batch.pages.reduce(0) { $0 + $1.rowCount }
        state.texts = (first.rawValue, count, batch.texts)
      }
      guard batch.recordCount > state.toldCount else { return [] }
      let new = batch.faults.filter { $0.record ?? .max > state.toldCount }
      state.toldCount = batch.recordCount
      state.places += batch.places
      state.report.rows = batch.recordCount
      state.report.skippedRows += new.count
      state.irregular = batch.irregular
      return new
    }
    for fault in new { notify(.fault(fault)) }
  }

  fileprivate func fail(_ error: any Error) -> any Error {
    state.withLock { $0.failure = error }
    return error
  }

  /// - Throws: `GuessedTypes.Refuted`.
  fileprivate func finish(_ ending: RowStream.Ending, skipping skipped: Set<String>) throws {
    guard let guess, var observed = ending.observed else { return reportMarks(ending) }
    observed.isWhole = true
    guess.observe(observed, ofFile: 0, skipping: skipped)
    let notes = try guess.confirmed(for: plan).notes
    state.withLock { state in
      if skipped.isEmpty { state.isConfirmed = true }
      if state.isAnswered { return }
      state.isAnswered = true
      state.report.notes += notes
    }
    reportMarks(ending)
  }

  private func reportMarks(_ ending: RowStream.Ending) {
    state.withLock { state in
      if state.hasReportedMarks { return }
      state.hasReportedMarks = true
      state.report.notes += source.notes(ofMarks: ending.seenMarks)
    }
  }
}

/// One pass over the rows, with a thread of its own that reads ahead.
private final class Pages: RowPages {
  private let rows: FileRows
  private let skipped: Set<String>
  private let keepsTexts: Bool
  private let stream: RowStream
  private var pages: ArraySlice<RowPage> = []
  private var isAtEnd = false

  init(
    of rows: FileRows, skipping skipped: Set<String>, keepsTexts: Bool, _ stream: RowStream
  ) {
    self.rows = rows
    self.skipped = skipped
    self.keepsTexts = keepsTexts
    self.stream = stream
  }

  func next() throws -> RowPage? {
    do {
      while !isAtEnd {
        if let page = pages.popFirst() { return page }
        let (batch, ending) = try stream.next()
        if let batch {
          rows.record(batch, keepsTexts: keepsTexts)
          pages = batch.pages[...]
        }
        if let ending {
          isAtEnd = true
          try rows.finish(ending, skipping: skipped)
        }
      }
      return nil
    } catch {
      isAtEnd = true
      throw rows.fail(error)
    }
  }

  func close() { stream.close() }
}

extension AttributeDescription {
  /// Whether its values in a file say nothing about others: they are no dates.
  fileprivate var isSkippable: Bool {
    guard dateConvention == nil, !isDeclaredDate else { return false }
    return switch type {
    case .string, .boolean, .double, .integer8, .integer16, .integer32, .integer64: true
    default: false
    }
  }
}
