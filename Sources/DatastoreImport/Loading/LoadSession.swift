import Basics
import DatastoreCore
import SwiftDatastore

/// One load inside a context: reads the files in batches, finds existing objects, creates missing ones, and
/// keeps forward references for the end.
///
/// Belongs to the context's queue.
final class LoadSession {
  let plan: LoadPlan
  let context: SwiftDatastoreContext.Closure
  let graph: ObjectGraph
  let options: LoadOptions
  let keys: LoadKeys
  /// Whether there is nothing to be looked up in the store.
  let isNewStore: Bool
  let notify: (LoadEvent) -> Void
  let checkCancellation: @Sendable () throws -> Void

  var indexes: [LoadKey: KeyIndex] = [:]
  var pending: [PendingReference] = []
  var ordered: [PendingReference] = []
  var report = LoadReport()
  var progress: LoadProgress
  /// The number of the file that is being read, from 0.
  var file = 0
  /// How the fields of that file become values.
  var conversion: FieldConversion?
  /// Whether its columns are called `column_1` and so on, since it is read without a header row.
  var hasNumberedColumns = false
  /// The types inferred from the beginnings of files, as long as they are not confirmed.
  let guess: GuessedTypes?
  /// Faults of a batch that may have to be tried again; nil when faults are reported at once.
  var heldFaults: [LoadFault]?
  /// The values that the store has refused in an earlier run.
  var unique: [UniqueValues]
  /// The records that the store has refused in an earlier run, by their number.
  var refused: [Int: LoadFault]
  /// Whether rows are written only to find those that the store refuses, and taken back.
  let isSearching: Bool
  /// Whether rows are written without objects, all in one transaction.
  var writesRowsOnly = false
  /// The records of the objects that are to be saved.
  var origins: [ObjectPlace: (position: SourcePosition, record: Int)] = [:]

  init(
    _ plan: LoadPlan, context: SwiftDatastoreContext.Closure, options: LoadOptions,
    isNewStore: Bool, guess: GuessedTypes? = nil, unique: [UniqueValues] = [],
    refused: [Int: LoadFault] = [:], isSearching: Bool = false,
    checkCancellation: @escaping @Sendable () throws -> Void,
    notify: @escaping (LoadEvent) -> Void
  ) {
    let plan = isNewStore ? plan : plan.fitting(context.describedStore)
    self.plan = plan
    self.context = context
    graph = context.core.graph
    self.options = options
    self.isNewStore = isNewStore
    self.guess = guess
    self.unique = unique
    self.refused = refused
    self.isSearching = isSearching
    self.checkCancellation = checkCancellation
    self.notify = notify
    keys = LoadKeys(plan, of: context)
    progress = LoadProgress(
      stage: .loading, file: "", fileNumber: 0, fileCount: plan.sources.count, rows: 0,
      bytesRead: 0, totalBytes: nil)
  }

  /// Whether each batch is written at once and other contexts see it.
  var isLive: Bool { options.saving == .eachBatch && !isNewStore }

  /// The number of rows in the first batch of a file, and the most in each of the others. A live load begins
  /// with few rows, so that the first ones are visible soon, and takes more as it continues, since a screen
  /// that shows the table reads its list again after each batch.
  var batchSizes: ClosedRange<Int> {
    let size = options.batchSize
    return isLive ? max(1, size / 4)...size * 5 : size...size
  }

  /// Loads everything and saves it.
  func run() throws -> LoadReport {
    let entities = try plan.sources.map(requireEntities)
    for (index, source) in plan.sources.enumerated() {
      file = index
      progress.file = source.name
      progress.fileNumber = index + 1
      switch source.content {
      case .entity(let content):
        try load(
          source,
          LoadBinding(
            content, entity: entities[index], schema: graph.schema, keys: keys,
            keepsTexts: source.reading.keepsLostTexts))
      case .links(let links): try load(source, links, entities[index])
      }
    }
    progress.stage = .finishing
    notify(.progress(progress))
    try resolvePending()
    try resolveOrdered()
    reportLists()
    if !options.isTrial || options.saving == .eachBatch { try context.saveChanges() }
    return report
  }

  /// The entity that a file fills, or whose relationship it fills.
  private func requireEntities(of source: LoadSource) throws -> Entity {
    switch source.content {
    case .entity(let content):
      let entity = try requireEntity(content.entity, source)
      guard !entity.isAbstract else {
        throw LoadError.unfit(
          nil,
          reason: "\(source.name) is to fill “\(entity.name)”. "
            + AbstractEntityError(entity, in: graph.schema).description)
      }
      return entity
    case .links(let links):
      _ = try requireEntity(links.destination, source)
      return try requireEntity(links.entity, source)
    }
  }

  private func requireEntity(_ name: String, _ source: LoadSource) throws -> Entity {
    let known = graph.schema.entities.map(\.name)
    guard let entity = graph.schema.entity(named: name) else {
      let names = known.isEmpty ? "no entities" : known.sorted().joined(separator: ", ")
      throw LoadError.unfit(
        nil,
        reason: "\(source.name) is to fill the entity “\(name.shownInMessage)”, but the store has "
          + names)
    }
    guard !entity.isReadOnly else {
      throw LoadError.unfit(
        nil,
        reason: "\(source.name) is to fill “\(name)”, \(readOnlyReason(entity)), so that "
          + "nothing can be added to it")
    }
    if let reason = context.information(about: entity).refusedWrites.inserting {
      throw LoadError.unfit(
        nil, reason: "\(source.name) is to fill “\(name)”, but \(reason)")
    }
    return entity
  }

  /// The reason why an entity cannot be written: a part of a sentence.
  private func readOnlyReason(_ entity: Entity) -> String {
    let information = context.information(about: entity)
    if !information.kind.isTable { return "which is a \(information.kind.rawValue)" }
    if !information.hasKey { return "which has no key" }
    return "which this user may not write, or which belongs to a store of SwiftDatastore "
      + "(say --store-name)"
  }

  /// Reads the records of a file in batches, except the first ones if they were loaded before. `prepare`
  /// turns one into a row, or throws a `LoadFault`.
  func read<Row>(
    _ source: LoadSource, after count: Int = 0, prepare: (ImportRecord) throws -> Row,
    apply: ([Row]) throws -> Void
  ) throws {
    var reader = try source.makeReader { notify(.waiting($0)) }
    record(reader, of: source)
    try passLoaded(count, of: &reader, prepare: prepare)
    var batch: [Row] = []
    func applyBatch() throws {
      try apply(batch)
      batch.removeAll(keepingCapacity: true)
      if options.saving == .eachBatch { try saveBatch() }
      progress.rows = report.rows
      progress.bytesRead = reader.bytesRead
      notify(.progress(progress))
    }
    while let row = try nextRow(of: &reader, prepare: prepare) {
      batch.append(row)
      let limit = min(max(batchSizes.lowerBound, report.rows / 8), batchSizes.upperBound)
      if batch.count >= limit { try applyBatch() }
    }
    try applyBatch()
  }

  /// Reads and counts records that were loaded before; their faults were reported.
  private func passLoaded<Row>(
    _ count: Int, of reader: inout any RecordReader, prepare: (ImportRecord) throws -> Row
  ) throws {
    for _ in 0..<count {
      report.rows += 1
      do {
        guard let record = try reader.next() else { return }
        if let mark = record.irregularity { report.irregular.record(mark) }
        _ = try prepare(record)
      } catch is LoadFault {
      } catch ImportError.malformed {
      }
    }
  }

  /// The next record that can be loaded; nil at the end of the file. Records that cannot be loaded are left
  /// out.
  ///
  /// - Throws: `LoadError.stopped` if such a record stops the load.
  func nextRow<Row>(
    of reader: inout any RecordReader, prepare: (ImportRecord) throws -> Row
  ) throws -> Row? {
    while true {
      try checkCancellation()
      do {
        guard let record = try reader.next() else { return nil }
        report.rows += 1
        if let mark = record.irregularity { report.irregular.record(mark) }
        return try prepare(record)
      } catch var fault as LoadFault {
        fault.record = fault.record ?? report.rows
        try skipRow(fault)
      } catch ImportError.malformed(let position, let reason) {
        report.rows += 1
        try skipRow(LoadFault(position, reason, record: report.rows))
      }
    }
  }

  /// Adds the observations about a file to the report.
  func record(_ reader: any RecordReader, of source: LoadSource) {
    conversion = FieldConversion(
      reader.valueReading, of: source, batchSize: options.batchSize,
      checkCancellation: checkCancellation)
    progress.totalBytes = reader.totalBytes
    let csv = reader as? CSVReader
    hasNumberedColumns = csv.map { !$0.hasHeader && $0.options.columns == nil } ?? false
    if let header = csv?.irregularHeader { report.irregular.record(header) }
    report.findings = reader.findings
    report.notes += reader.notes.map { "\(source.name): \($0)." }
  }

  /// How texts of the current file are read as values.
  var reading: ValueReading { conversion?.reading ?? ValueReading() }

  /// The value of a field as an attribute stores it.
  func value(of field: ImportField, for attribute: AttributeDescription) throws -> Value {
    guard let value = try conversion?.value(of: field.value, in: field.name, for: attribute)
    else { trap("Fields are read while a file is.") }
    return value
  }

  func saveBatch() throws {
    try context.saveChanges()
    graph.releaseUnreferencedObjects()
  }

  /// Leaves a record out, or ends the load.
  func skipRow(_ fault: LoadFault) throws {
    if options.faults == .stop { throw LoadError.stopped(fault) }
    report.skippedRows += 1
    pass(on: fault)
  }

  /// Leaves a reference empty, or ends the load.
  func skipReference(_ fault: LoadFault) throws {
    if options.faults == .stop { throw LoadError.stopped(fault) }
    report.skippedReferences += 1
    pass(on: fault)
  }

  private func pass(on fault: LoadFault) {
    if heldFaults == nil {
      notify(.fault(fault))
    } else {
      heldFaults?.append(fault)
    }
  }
}
