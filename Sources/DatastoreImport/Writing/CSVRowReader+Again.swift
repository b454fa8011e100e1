import DatastoreCore

extension CSVRowReader {
  /// A reader of the same records for the rows which were made of them.
  ///
  /// - Parameters:
  ///   - source: the file, with the settings by which its rows were read.
  ///   - entity: that of the rows.
  ///   - dateOrders: the order of days and months by column, where it is known.
  init(
    _ csv: CSVReader, again source: LoadSource, as entity: Entity,
    dateOrders: [String: DateOrder]?
  ) {
    var names = csv.columns
    // What records with more fields have. The column that says which they are is no part of the file.
    let others = Set(entity.properties.map(\.name)).subtracting(names)
    for place in names.count..<(names.count + others.count) {
      let name = csv.surplusName(place)
      if entity.slot(named: name) != nil { names.append(name) }
    }
    let columns = names.map { name in
      let slot = entity.slot(named: name)
      let attribute = slot.flatMap { entity.properties[$0].attribute }
      return Column(
        name: name,
        target: slot.flatMap { slot in attribute.map { (slot: slot, attribute: $0) } })
    }
    self.init(
      csv, columns, RowRequirements(entity),
      FieldConversion(
        csv.valueReading, of: source, dateOrders: dateOrders, batchSize: 2_000,
        checkCancellation: {}),
      observes: false, complete: { _, _, _ in })
  }
}
