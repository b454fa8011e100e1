import DatastoreTestSupport
import Foundation
import SwiftDatastore

/// A line of a price list.
struct ProductLine: Sendable {
  enum Fate: Sendable {
    case imported, notInserted, notUpdated, throwsOnID, throwsOnInsert, throwsOnUpdate
  }

  struct Refusal: Error, CustomStringConvertible {
    var description: String { "the line is not to be trusted." }
  }

  var number: Int?
  var name: String
  var shelf: String?
  var fate = Fate.imported
}

/// Found by its number.
final class Product: DatastoreObject {
  @Attribute.NotOptional(unique: true) var number: Int
  @Attribute.Optional var name: String?
  @Attribute.NotOptional var updates: Int = 0
  @Relationship.ToOne(inverse: \.$products) var shelf: Shelf?
}

extension Product: ImportableUniqueObject {
  typealias ImportSource = ProductLine
  static let uniqueIDKeyPath = UniqueIDKeyPath(\Product.$number)

  static func uniqueID(from source: ProductLine, in context: any ObjectContext) throws -> Int? {
    if source.fate == .throwsOnID { throw ProductLine.Refusal() }
    return source.number
  }

  static func shouldInsert(from source: ProductLine, in context: any ObjectContext) -> Bool {
    source.fate != .notInserted
  }

  static func shouldUpdate(from source: ProductLine, in context: any ObjectContext) -> Bool {
    source.fate != .notUpdated
  }

  func didInsert(from source: ProductLine, in context: any ObjectContext) throws {
    precondition(number == source.number, "the number is there before anything else")
    name = "half"
    if source.fate == .throwsOnInsert { throw ProductLine.Refusal() }
    try fill(from: source, in: context)
  }

  func update(from source: ProductLine, in context: any ObjectContext) throws {
    name = "half"
    updates += 1
    if source.fate == .throwsOnUpdate { throw ProductLine.Refusal() }
    try fill(from: source, in: context)
  }

  private func fill(from source: ProductLine, in context: any ObjectContext) throws {
    name = source.name
    shelf = try source.shelf.flatMap { try context.importUniqueObject(Shelf.self, from: $0) }
  }
}

/// Found by its label; `update` also runs for new ones.
final class Shelf: DatastoreObject {
  @Attribute.Optional(indexed: true) var label: String?
  @Attribute.NotOptional var visits: Int = 0
  @Relationship.ToMany var products: Set<Product>
}

extension Shelf: ImportableUniqueObject {
  typealias ImportSource = String
  static let uniqueIDKeyPath = UniqueIDKeyPath(\Shelf.$label)

  static func uniqueID(from source: String, in context: any ObjectContext) -> String? { source }

  func update(from source: String, in context: any ObjectContext) { visits += 1 }
}

/// Always new.
final class Sale: DatastoreObject {
  @Attribute.NotOptional var text: String
  @Attribute.NotOptional var amount: Int = 0
}

extension Sale: ImportableObject {
  typealias ImportSource = String

  static func shouldInsert(from source: String, in context: any ObjectContext) -> Bool {
    !source.hasPrefix("#")
  }

  func didInsert(from source: String, in context: any ObjectContext) throws {
    text = source
    guard let amount = Int(source) else { throw ProductLine.Refusal() }
    self.amount = amount
  }
}

/// A store of its own.
struct ImportFixture {
  private let store: TestStore
  var datastore: SwiftDatastore { store.datastore }

  init(_ engine: TestEngine = .sqlite) throws {
    store = try TestStore(
      engine, SwiftDatastoreModel(from: Product.self, Shelf.self, Sale.self))
  }

  /// The rows that another program reads; names of tables are in quotes.
  func rows(_ sql: String) throws -> [String] { try store.rows(sql) }
}
