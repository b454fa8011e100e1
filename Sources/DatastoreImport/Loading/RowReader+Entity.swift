import Basics
import DatastoreCore

extension LoadSource {
  /// A reader that turns the records of the file into cells.
  ///
  /// - Parameters:
  ///   - reader: a reader at the beginning of the file.
  ///   - columns: the columns with their targets.
  ///   - observes: whether to count the values of the columns.
  ///   - complete: sets the values of a new row that the record does not give.
  func rowReader(
    _ reader: any RecordReader, _ columns: [RowCells.Column], _ requirements: RowRequirements,
    _ conversion: FieldConversion, observes: Bool,
    complete: @escaping @Sendable (RowPage, Int, SlotSet) -> Void
  ) -> any RowReader {
    if let csv = reader as? CSVReader {
      return CSVRowReader(
        csv, columns, requirements, conversion, observes: observes, complete: complete)
    }
    guard let json = reader as? JSONReader else { trap("A file of rows is CSV or JSON.") }
    return JSONRowReader(
      json, columns, requirements, conversion, observes: observes, complete: complete)
  }

  /// A reader for the rows of an entity whose attributes are the columns of the file.
  ///
  /// - Parameters:
  ///   - entity: the entity of the rows.
  ///   - dateOrders: the order of days and months by column, if it is known.
  ///   - guess: the types inferred from the beginning of the file; nil if they are known.
  ///   - skipped: columns whose values are not needed.
  func rowReader(
    _ reader: any RecordReader, as entity: Entity, dateOrders: [String: DateOrder]?,
    guess: GuessedTypes?, skipping skipped: Set<String>
  ) -> any RowReader {
    if let csv = reader as? CSVReader {
      return CSVRowReader(
        csv, of: self, as: entity, dateOrders: dateOrders, marksIrregular: true, guess: guess,
        skipping: skipped)
    }
    let names = entity.properties.compactMap(\.attribute?.name)
    return rowReader(
      reader, entity.columns(names, of: self, guess, skipping: skipped), RowRequirements(entity),
      FieldConversion(reader.valueReading, of: self, dateOrders: dateOrders),
      observes: guess != nil, complete: { _, _, _ in })
  }
}

extension Entity {
  /// Columns of a file that are attributes of the same names.
  fileprivate func columns(
    _ names: [String], of source: LoadSource, _ guess: GuessedTypes?, skipping skipped: Set<String>
  ) -> [RowCells.Column] {
    names.map { name in
      let slot = slot(named: name)
      let attribute = slot.flatMap { properties[$0].attribute }
      var column = RowCells.Column(
        name: name,
        target: slot.flatMap { slot in attribute.map { (slot: slot, attribute: $0) } })
      if case .entity(let content) = source.content { guess?.mark(&column, ofFile: 0, content) }
      column.isSkipped = skipped.contains(name)
      return column
    }
  }
}

extension CSVRowReader {
  /// A reader of records as the rows of an entity whose attributes are the columns of the file.
  ///
  /// - Parameters:
  ///   - source: the file, with the settings by which its rows are read.
  ///   - entity: the entity of the rows.
  ///   - dateOrders: the order of days and months by column, if it is known.
  ///   - marksIrregular: whether to fill the column that describes irregular records, which is not a part of
  ///     the file.
  ///   - guess: the types inferred from the beginning of the file; nil if they are known.
  ///   - skipped: columns whose values are not needed.
  init(
    _ csv: CSVReader, of source: LoadSource, as entity: Entity, dateOrders: [String: DateOrder]?,
    marksIrregular: Bool, guess: GuessedTypes? = nil, skipping skipped: Set<String> = []
  ) {
    var names = csv.columns
    // The columns for records with more fields.
    let others = Set(entity.properties.map(\.name)).subtracting(names)
    for place in names.count..<(names.count + others.count) {
      let name = csv.surplusName(place)
      if entity.slot(named: name) != nil { names.append(name) }
    }
    if marksIrregular, others.contains(csv.irregularColumn) { names.append(csv.irregularColumn) }
    self.init(
      csv, entity.columns(names, of: source, guess, skipping: skipped), RowRequirements(entity),
      FieldConversion(csv.valueReading, of: source, dateOrders: dateOrders),
      observes: guess != nil, complete: { _, _, _ in })
  }
}
