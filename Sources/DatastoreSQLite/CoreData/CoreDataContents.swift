import Basics
import DatastoreCore

/// What is known of an open Core Data store beyond its entities.
struct CoreDataContents: Sendable {
  /// What its model says besides, as sentences without their full stops.
  private(set) var remarks: [String] = []
  /// By the number of an entity, the names of its properties in the order in which its history counts them.
  private var properties: [Int64: [String]] = [:]

  /// Of a store without its model.
  init() {}

  init(_ model: CoreDataModel, _ tables: CoreDataTables) {
    remarks = model.remarks
    if model.isGuessed { return }
    for entity in tables.entities {
      guard let number = tables.numbers[entity.name] else { continue }
      var names: [String] = []
      var next: CoreDataModel.Entity? = entity
      while let ancestor = next {
        names += ancestor.attributes.filter { !$0.isTransient }.map(\.name)
        names += ancestor.relationships.filter { !$0.isTransient }.map(\.name)
        next = ancestor.parent.flatMap { tables.byName[$0] }
      }
      properties[number] = names.sorted()
    }
  }

  /// The properties whose bits are set in what a change of the history says, the greatest bit of the first byte first.
  /// Bits behind those of properties are of columns beside them.
  func changedProperties(_ bits: [UInt8], ofEntity number: Int64) -> [String] {
    (properties[number] ?? []).enumerated().filter { place, _ in
      place / 8 < bits.count && bits[place / 8] & (0x80 >> UInt8(place % 8)) != 0
    }.map(\.element)
  }
}
