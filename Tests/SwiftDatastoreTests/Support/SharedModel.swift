import DatastoreTestSupport
import Foundation
import SwiftDatastore

// Classes that several stores hold.

final class Heap: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
  @Relationship.ToMany(deleteRule: .nullify) var pebbles: Set<Pebble>
}

final class Pebble: DatastoreObject {
  @Attribute.NotOptional var label: Int = 0
  @Attribute.NotOptional var number: Int = 0
  @Attribute.Optional var name: String?
  @Attribute.NotOptional var weight: Double = 0
  @Attribute.Optional var price: Decimal?
  @Relationship.ToOne(inverse: \.$pebbles) var heap: Heap?
  @Relationship.ToMany.Ordered var below: [Pebble]
  @Relationship.ToMany(inverse: \.$below) var above: Set<Pebble>
}

/// Of a kind that only the first file holds.
final class Shovel: DatastoreObject {
  @Attribute.NotOptional var name: String = ""
}

/// Two files and a store in memory, all of which hold heaps and pebbles.
struct SharedFiles: Sendable {
  let folder: TemporaryDirectory
  var one: StoreDescription { .file(folder.file("one.sqlite"), configuration: "One") }
  /// Before the first by its path, and after it in the order in which they are added.
  var two: StoreDescription { .file(folder.file("a-two.sqlite"), configuration: "Two") }
  let memory = StoreDescription.inMemory(configuration: "Two")
  var stores: [StoreDescription] { [one, two, memory] }

  init() throws { folder = try TemporaryDirectory() }

  static func model() throws -> SwiftDatastoreModel {
    try SwiftDatastoreModel(
      from: Shovel.self, Heap.self, Pebble.self,
      configurations: [
        "One": [Heap.self, Pebble.self, Shovel.self], "Two": [Pebble.self, Heap.self],
      ])
  }

  func open(
    _ stores: [StoreDescription]? = nil, _ options: SwiftDatastore.Options = .init()
  ) throws -> SwiftDatastore {
    try SwiftDatastore(dataModel: Self.model(), stores: stores ?? self.stores, options: options)
  }

  /// A pebble in each of some stores, with labels from a number on.
  func fill(_ context: some ObjectContext, _ stores: [StoreDescription], from label: Int) throws {
    for (place, store) in stores.enumerated() {
      let pebble: Pebble = try context.createObject(in: store)
      pebble.label = label + place
      pebble.name = "pebble \(label + place)"
    }
  }
}
