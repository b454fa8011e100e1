import DatastoreCore

/// The values of the objects of a JSON file as rows of an entity.
struct JSONRowValues {
  /// By the names of the columns.
  let slots: [String: (slot: Slot, attribute: AttributeDescription)]
  private(set) var conversion: FieldConversion

  /// - Parameters:
  ///   - source: the file, with the settings by which its rows were read.
  ///   - dateOrders: the order of days and months by column, if it is known.
  init(
    of entity: Entity, _ reader: JSONReader, _ source: LoadSource,
    dateOrders: [String: DateOrder]?
  ) {
    slots = entity.slots.reduce(into: [:]) { slots, slot in
      guard let attribute = entity.properties[slot].attribute, !attribute.isReadOnly else { return }
      slots[attribute.name] = (slot, attribute)
    }
    conversion = FieldConversion(reader.valueReading, of: source, dateOrders: dateOrders)
  }

  /// - Throws: `ConversionFault` for an object that is not a row.
  mutating func values(of record: ImportRecord) throws -> [Slot: Value] {
    var values: [Slot: Value] = [:]
    for field in record.fields {
      guard let (slot, attribute) = slots[field.name] else { continue }
      values[slot] = try conversion.value(of: field.value, in: field.name, for: attribute)
    }
    return values
  }
}
