import DatastoreCore

/// Reading a file on a thread of its own, while the rows that were read are written.
extension LoadSession {
  /// The targets of the columns of a file, if its records are new rows of attributes, and nothing in other
  /// files refers to them; nil for all other files.
  func streamedColumns(
    of source: LoadSource, _ binding: LoadBinding
  ) throws -> StreamedColumns? {
    let isAlone = plan.sources.count == 1 && (isLive || options.saving == .once && !options.isTrial)
    guard isNewStore || isAlone, unique.isEmpty, refused.isEmpty, plan.streamsRows(of: source)
    else { return nil }
    var source = source
    let reader = try source.makeReader()
    var binding = binding
    var columns: [RowCells.Column] = []
    var names: [String]
    if let csv = reader as? CSVReader {
      names = csv.columns
      if csv.options.keepsIrregular {
        // The columns for records with more fields, and the column that describes irregular records.
        names += binding.entity.properties.map(\.name).filter { !csv.columns.contains($0) }
      }
    } else {
      // The columns of a JSON file are known only after a pass over it.
      guard let guess, guess.isGuess(file: file) else { return nil }
      (names, source.reading.json.members) = guess.columns(ofFile: file)
    }
    for name in names {
      guard let target = try? binding.target(of: name) else { return nil }
      switch target {
      case .ignored, .number: columns.append(RowCells.Column(name: name, target: nil))
      case .attribute(let slot, let attribute):
        var column = RowCells.Column(name: name, target: (slot, attribute))
        column.textSlot = binding.textSlot(of: name)
        guess?.mark(&column, ofFile: file, binding.content)
        columns.append(column)
      case .reference, .part: return nil
      }
    }
    return StreamedColumns(source: source, reader: reader, columns: columns)
  }

  /// A file that is read while its rows are written.
  struct StreamedColumns {
    /// The file, with the details known about it.
    let source: LoadSource
    /// At its beginning.
    let reader: any RecordReader
    let columns: [RowCells.Column]
  }

  /// Reads a file while its rows are written, each batch in a transaction of its own.
  ///
  /// - Returns: nil if all were written; otherwise the number of records before a batch that the store has
  ///   refused.
  func streamBatches(
    _ streamed: StreamedColumns, _ requirements: RowRequirements
  ) throws -> Int? {
    var newRows: (reserveKeys: @Sendable (Int) throws -> RowKey, complete: RowSink.Completion)?
    try RowSink.write(self, requirements) { sink in
      newRows = sink.rows.reserveKeys.map { ($0, sink.complete) }
    }
    guard let newRows else { return 0 }
    var count = 0
    do {
      try stream(
        streamed, requirements, reserveKeys: newRows.reserveKeys, complete: newRows.complete
      ) { batch in
        if options.faults == .stop, let fault = batch.faults.first { try skipRow(fault) }
        do {
          try RowSink.write(self, requirements) { try $0.rows.insert(batch.pages) }
        } catch {
          throw RowRefusal(error) == nil ? error : RefusedBatch()
        }
        for fault in batch.faults { try skipRow(fault) }
        count = batch.recordCount
        progress.written = report.inserted
      }
    } catch is RefusedBatch {
      return count
    }
    return nil
  }

  private struct RefusedBatch: Error {}

  /// Reads a file while its rows are written.
  ///
  /// - Parameters:
  ///   - reserveKeys: assigns keys to new rows.
  ///   - write: writes one batch.
  func stream(
    _ streamed: StreamedColumns, _ requirements: RowRequirements,
    reserveKeys: @escaping @Sendable (Int) throws -> RowKey,
    complete: @escaping RowSink.Completion, write: (RowStream.Batch) throws -> Void
  ) throws {
    let observes = guess?.isGuess(file: file) ?? false
    let dateOrders = guess?.dateOrders(ofFile: file)
    let batchSize = options.batchSize
    let checkCancellation = checkCancellation
    let (source, columns) = (streamed.source, streamed.columns)
    let stream = RowStream()
    defer { stream.close() }
    stream.start(
      source, ObjectIdentifier(type(of: streamed.reader)), batchSize: batchSizes.upperBound,
      firstBatch: batchSizes.lowerBound, reserveKeys: reserveKeys
    ) { reader in
      let conversion = FieldConversion(
        reader.valueReading, of: source, dateOrders: dateOrders, batchSize: batchSize,
        checkCancellation: checkCancellation)
      return source.rowReader(
        reader, columns, requirements, conversion, observes: observes, complete: complete)
    }
    let before = report.rows
    while true {
      let (batch, ending) = try stream.next()
      if let batch {
        // It was read ahead.
        try checkCancellation()
        try write(batch)
        report.rows = before + batch.recordCount
        progress.rows = report.rows
        progress.bytesRead = batch.bytesRead
        notify(.progress(progress))
      }
      guard let ending else { continue }
      conversion?.seenMarks = ending.seenMarks
      conversion?.lostZones = ending.lostZones
      conversion?.lostDigits = ending.lostDigits
      report.irregular.add(ending.irregular)
      if let observed = ending.observed { guess?.observe(observed, ofFile: file) }
      return
    }
  }
}

extension RowStream {
  /// Starts reading a file on a thread of its own.
  ///
  /// - Parameters:
  ///   - form: the type of the reader by which its columns were found.
  ///   - batchSize: how many records are passed on together.
  ///   - firstBatch: how many at first, if that is less; the number then doubles each time.
  ///   - reserveKeys: assigns keys to the rows.
  ///   - makeReader: turns a reader at its beginning into one that reads rows.
  func start(
    _ source: LoadSource, _ form: ObjectIdentifier, batchSize: Int, firstBatch: Int? = nil,
    reserveKeys: @escaping @Sendable (Int) throws -> RowKey,
    _ makeReader: @escaping @Sendable (any RecordReader) throws -> any RowReader
  ) {
    start { send in
      let records = try source.makeReader()
      guard ObjectIdentifier(type(of: records)) == form else {
        throw ImportError.inaccessible(file: source.name, reason: "it has become another file")
      }
      var reader = try makeReader(records)
      let checkCancellation = reader.cells.conversion.checkCancellation
      try reader.readAll(
        batchSize: batchSize, firstBatch: firstBatch ?? batchSize, reserveKeys: reserveKeys
      ) { batch in
        try checkCancellation()
        return send(batch)
      }
      return Ending(
        seenMarks: reader.cells.conversion.seenMarks, lostZones: reader.cells.conversion.lostZones,
        lostDigits: reader.cells.conversion.lostDigits,
        observed: reader.cells.observed, irregular: reader.irregular)
    }
  }
}

extension LoadPlan {
  /// Whether the records of a file are new rows to which nothing refers, so that no objects have to be
  /// created.
  func streamsRows(of source: LoadSource) -> Bool {
    guard case .entity(let content) = source.content, content.key == nil, model == nil,
      !source.input.isReadOnce
    else { return false }
    return !sources.contains { other in
      guard case .entity(let content) = other.content else { return true }
      return content.columns.contains { column in
        if case .reference = column.role { return true }
        return false
      }
    }
  }
}
