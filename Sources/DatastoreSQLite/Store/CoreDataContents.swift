/// Information about an open Core Data store beyond its entities.
struct CoreDataContents: Sendable {
  /// Further content of its model, as sentences without their full stops.
  let remarks: [String]
  /// By the number of an entity, the names of its properties in the order of its history.
  private let properties: [Int64: [String]]

  /// - Parameter properties: empty for a store without its model.
  init(remarks: [String] = [], properties: [Int64: [String]] = [:]) {
    self.remarks = remarks
    self.properties = properties
  }

  /// The properties whose bits are set in a change of the history, the greatest bit of the first byte first.
  /// Bits after those of properties belong to additional columns.
  func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    (properties[number] ?? []).enumerated().filter { place, _ in
      place / 8 < bits.count && bits[place / 8] & (0x80 >> UInt8(place % 8)) != 0
    }.map(\.element)
  }
}
