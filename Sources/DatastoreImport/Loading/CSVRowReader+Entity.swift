import DatastoreCore

extension CSVRowReader {
  /// A reader of the records that are the rows of an entity whose attributes are the columns of the file.
  ///
  /// - Parameters:
  ///   - source: the file, with the settings by which its rows are read.
  ///   - entity: that of the rows.
  ///   - dateOrders: the order of days and months by column, where it is known.
  ///   - marksIrregular: whether the column that says what is irregular about a record, which is no part of the
  ///     file, is filled, too.
  ///   - guess: what types were taken from the beginning of the file; nil where they are known.
  ///   - skipped: columns whose values nobody asks for.
  init(
    _ csv: CSVReader, of source: LoadSource, as entity: Entity, dateOrders: [String: DateOrder]?,
    marksIrregular: Bool, guess: GuessedTypes? = nil, skipping skipped: Set<String> = []
  ) {
    var names = csv.columns
    // What records with more fields have.
    let others = Set(entity.properties.map(\.name)).subtracting(names)
    for place in names.count..<(names.count + others.count) {
      let name = csv.surplusName(place)
      if entity.slot(named: name) != nil { names.append(name) }
    }
    if marksIrregular, others.contains(csv.irregularColumn) { names.append(csv.irregularColumn) }
    let columns = names.map { name in
      let slot = entity.slot(named: name)
      let attribute = slot.flatMap { entity.properties[$0].attribute }
      var column = Column(
        name: name,
        target: slot.flatMap { slot in attribute.map { (slot: slot, attribute: $0) } })
      if case .entity(let content) = source.content { guess?.mark(&column, ofFile: 0, content) }
      column.isSkipped = skipped.contains(name)
      return column
    }
    self.init(
      csv, columns, RowRequirements(entity),
      FieldConversion(
        csv.valueReading, of: source, dateOrders: dateOrders, batchSize: 2_000,
        checkCancellation: {}),
      observes: guess != nil, complete: { _, _, _ in })
  }
}
