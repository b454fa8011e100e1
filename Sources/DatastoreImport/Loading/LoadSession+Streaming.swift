import DatastoreCore

/// Reading a CSV file on a thread of its own, while what it has read is written.
extension LoadSession {
  /// What the columns of a file fill, where its records are new rows of attributes, and nothing that other files
  /// have leads to them; nil for all other files.
  func streamedColumns(
    of source: LoadSource, _ binding: LoadBinding
  ) throws -> (reader: CSVReader, columns: [CSVRowReader.Column])? {
    let isAlone = options.saving == .once && !options.isTrial && plan.sources.count == 1
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
        if let guess, guess.isGuess(file: file), !binding.content.saysType(of: name) {
          column.isGuess = true
          column.isUnknown = !guess.isKnown(name, ofFile: file)
        }
        columns.append(column)
      case .reference, .part: return nil
      }
    }
    return (reader, columns)
  }

  /// Reads a file while its rows are written.
  ///
  /// - Parameter reserveKeys: numbers new rows.
  func stream(
    _ source: LoadSource, _ columns: [CSVRowReader.Column], _ requirements: RowRequirements,
    into rows: any RowTransaction, reserveKeys: @escaping @Sendable (Int) throws -> RowKey,
    complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) throws {
    let observes = guess?.isGuess(file: file) ?? false
    let dateOrders = guess?.dateOrders(ofFile: file)
    let batchSize = options.batchSize
    let checkCancellation = checkCancellation
    let stream = RowStream()
    defer { stream.close() }
    stream.start { send in
      guard let csv = try source.makeReader() as? CSVReader else {
        throw ImportError.inaccessible(file: source.name, reason: "it has become another file")
      }
      let conversion = FieldConversion(
        csv.valueReading, of: source, dateOrders: dateOrders, batchSize: batchSize,
        checkCancellation: checkCancellation)
      var reader = CSVRowReader(
        csv, columns, requirements, conversion, observes: observes, complete: complete)
      try reader.readAll(batchSize: batchSize, reserveKeys: reserveKeys) { batch in
        try checkCancellation()
        return send(batch)
      }
      return RowStream.Ending(
        seenMarks: reader.conversion.seenMarks, lostZones: reader.conversion.lostZones,
        observed: reader.observed,
        irregular: reader.irregular)
    }
    let before = report.rows
    while true {
      let (batch, ending) = try stream.next()
      if let batch {
        for fault in batch.faults { try skipRow(fault) }
        try rows.insert(batch.pages)
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

extension CSVRowReader {
  /// Reads all records into sealed pages.
  ///
  /// - Parameter send: receives them in batches; false when no more are wanted.
  fileprivate mutating func readAll(
    batchSize: Int, reserveKeys: (Int) throws -> RowKey, _ send: (RowStream.Batch) throws -> Bool
  ) throws {
    let capacity = RowPage.fullCount
    var page = RowPage(columnCount: requirements.entity.slotCount, rowCapacity: capacity)
    var keys = Range(uncheckedBounds: (Int64(0), Int64(0)))
    var batch = RowStream.Batch()
    var sentCount = 0
    func seal() {
      if page.rowCount == 0 { return }
      let full = page
      page = RowPage(sealing: full)
      batch.pages.append(full)
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
      } catch let fault as LoadFault {
        page.removeLastRow()
        batch.faults.append(fault)
      }
      if page.isFull { seal() }
      guard recordCount - sentCount >= batchSize else { continue }
      seal()
      batch.recordCount = recordCount
      batch.bytesRead = bytesRead
      sentCount = recordCount
      if try !send(batch) { return }
      batch = RowStream.Batch()
    }
    page.removeLastRow()
    seal()
    batch.recordCount = recordCount
    batch.bytesRead = bytesRead
    _ = try send(batch)
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

extension ImportManifest.EntityContent {
  /// Whether it says what the values of a column are.
  fileprivate func saysType(of column: String) -> Bool {
    columns.contains { said in
      if said.name == column, case .attribute(_?) = said.role { return true }
      return false
    }
  }
}
