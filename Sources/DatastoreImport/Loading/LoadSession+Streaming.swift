import DatastoreCore

/// Reading a CSV file on a thread of its own, while what it has read is written.
extension LoadSession {
  /// What the columns of a file fill, where its records are new rows of attributes, and nothing that other files
  /// have leads to them; nil for all other files.
  func streamedColumns(
    of source: LoadSource, _ binding: LoadBinding
  ) throws -> (reader: CSVReader, columns: [CSVRowReader.Column])? {
    let isAlone = plan.sources.count == 1 && (isLive || options.saving == .once && !options.isTrial)
    guard isNewStore || isAlone, plan.streamsRows(of: source),
      let reader = try source.makeReader() as? CSVReader
    else { return nil }
    var binding = binding
    var columns: [CSVRowReader.Column] = []
    var names = reader.columns
    if reader.options.keepsIrregular {
      // What records with more fields have, and the column that says which they are.
      names += binding.entity.properties.map(\.name).filter { !reader.columns.contains($0) }
    }
    for name in names {
      guard let target = try? binding.target(of: name) else { return nil }
      switch target {
      case .ignored: columns.append(CSVRowReader.Column(name: name, target: nil))
      case .attribute(let slot, let attribute):
        var column = CSVRowReader.Column(name: name, target: (slot, attribute))
        column.textSlot = binding.textSlot(of: name)
        guess?.mark(&column, ofFile: file, binding.content)
        columns.append(column)
      case .reference, .part: return nil
      }
    }
    return (reader, columns)
  }

  /// Reads a file while its rows are written, each batch in a transaction of its own.
  ///
  /// - Returns: nil where all were written; else how many records were read before a batch that the store has
  ///   refused.
  func streamBatches(
    _ source: LoadSource, _ columns: [CSVRowReader.Column], _ requirements: RowRequirements
  ) throws -> Int? {
    var newRows: (reserveKeys: @Sendable (Int) throws -> RowKey, complete: RowSink.Completion)?
    try RowSink.write(self, requirements) { sink in
      newRows = sink.rows.reserveKeys.map { ($0, sink.complete) }
    }
    guard let newRows else { return 0 }
    var count = 0
    do {
      try stream(
        source, columns, requirements, reserveKeys: newRows.reserveKeys, complete: newRows.complete
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
  ///   - reserveKeys: numbers new rows.
  ///   - write: writes what was read together.
  func stream(
    _ source: LoadSource, _ columns: [CSVRowReader.Column], _ requirements: RowRequirements,
    reserveKeys: @escaping @Sendable (Int) throws -> RowKey,
    complete: @escaping RowSink.Completion, write: (RowStream.Batch) throws -> Void
  ) throws {
    let observes = guess?.isGuess(file: file) ?? false
    let dateOrders = guess?.dateOrders(ofFile: file)
    let batchSize = options.batchSize
    let checkCancellation = checkCancellation
    let stream = RowStream()
    defer { stream.close() }
    stream.start(
      source, batchSize: batchSizes.upperBound, firstBatch: batchSizes.lowerBound,
      reserveKeys: reserveKeys
    ) { csv in
      let conversion = FieldConversion(
        csv.valueReading, of: source, dateOrders: dateOrders, batchSize: batchSize,
        checkCancellation: checkCancellation)
      return CSVRowReader(
        csv, columns, requirements, conversion, observes: observes, complete: complete)
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
      report.irregular.add(ending.irregular)
      if let observed = ending.observed { guess?.note(observed, ofFile: file) }
      return
    }
  }
}

extension RowStream {
  /// Starts reading a CSV file on a thread of its own.
  ///
  /// - Parameters:
  ///   - batchSize: how many records are handed on together.
  ///   - firstBatch: how many at first, where that is less; each time twice as many then.
  ///   - reserveKeys: numbers the rows.
  ///   - makeReader: makes rows of the records of a reader at its beginning.
  func start(
    _ source: LoadSource, batchSize: Int, firstBatch: Int? = nil,
    reserveKeys: @escaping @Sendable (Int) throws -> RowKey,
    _ makeReader: @escaping @Sendable (CSVReader) throws -> CSVRowReader
  ) {
    start { send in
      guard let csv = try source.makeReader() as? CSVReader else {
        throw ImportError.inaccessible(file: source.name, reason: "it has become another file")
      }
      var reader = try makeReader(csv)
      let checkCancellation = reader.conversion.checkCancellation
      try reader.readAll(
        batchSize: batchSize, firstBatch: firstBatch ?? batchSize, reserveKeys: reserveKeys
      ) { batch in
        try checkCancellation()
        return send(batch)
      }
      return Ending(
        seenMarks: reader.conversion.seenMarks, lostZones: reader.conversion.lostZones,
        observed: reader.observed, irregular: reader.irregular)
    }
  }
}

extension CSVRowReader {
  /// Reads all records into sealed pages.
  ///
  /// - Parameter send: receives them in batches; false when no more are wanted.
  fileprivate mutating func readAll(
    batchSize: Int, firstBatch: Int, reserveKeys: (Int) throws -> RowKey,
    _ send: (RowStream.Batch) throws -> Bool
  ) throws {
    let capacity = RowPage.fullCount
    var page = RowPage(columnCount: requirements.entity.slotCount, rowCapacity: capacity)
    var keys = Range(uncheckedBounds: (Int64(0), Int64(0)))
    var batch = RowStream.Batch()
    var (sentCount, rowCount) = (0, 0)
    var size = firstBatch
    func seal() {
      if page.rowCount == 0 { return }
      let full = page
      page = RowPage(sealing: full)
      batch.pages.append(full)
    }
    func finish() throws -> Bool {
      batch.recordCount = recordCount
      batch.bytesRead = bytesRead
      batch.irregular = irregular
      defer { batch = RowStream.Batch() }
      return try send(batch)
    }
    while true {
      if keys.isEmpty {
        let first = try reserveKeys(capacity).rawValue
        keys = first..<(first + Int64(capacity))
      }
      let row = page.appendRow(key: RowKey(keys.lowerBound))
      do {
        guard try read(into: page, row: row) != nil else { break }
        keys = (keys.lowerBound + 1)..<keys.upperBound
        if rowCount.isMultiple(of: RowStream.stride), let place { batch.places.append(place) }
        rowCount += 1
        for column in keptColumns { append(column: column, to: &batch.texts) }
      } catch let fault as LoadFault {
        page.removeLastRow()
        batch.faults.append(fault)
      }
      if page.isFull { seal() }
      guard recordCount - sentCount >= size else { continue }
      size = min(size * 2, batchSize)
      seal()
      sentCount = recordCount
      if try !finish() { return }
    }
    page.removeLastRow()
    seal()
    _ = try finish()
  }
}

extension LoadPlan {
  /// Whether the records of a file are new rows to which nothing leads, so that no object has to be made of
  /// them.
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
