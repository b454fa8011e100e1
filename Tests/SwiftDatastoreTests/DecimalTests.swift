import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private final class Price: DatastoreObject {
  @Attribute.NotOptional var amount: Decimal = 0
}

@Suite struct DecimalTests {
  private static func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text))
  }

  @Test(
    arguments: [
      ("0", Value.integer(0)), ("-17", .integer(-17)), ("2.50", .real(2.5)),
      ("0.1", .real(0.1)), ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .text("9223372036854775808")),
      ("100000000000000000000", .real(1e20)), ("123456789012.345", .real(123456789012.345)),
      ("1234567890123.4567", .text("1234567890123.4567")),
    ])
  func storedForm(text: String, stored: Value) throws {
    let decimal = try Self.decimal(text)
    #expect(decimal.storedValue == stored)
    #expect(Decimal(storedValue: stored) == decimal)
  }

  @Test func everyDecimalSurvives() throws {
    let seed = RandomCases.seed()
    var random = SeededRandom(seed: seed)
    for _ in 0..<RandomCases.count {
      let digits = (0..<(1 + random.below(38))).map { _ in String(random.below(10)) }.joined()
      let point = random.below(digits.count + 1)
      let text =
        (random.below(2) == 0 ? "-" : "") + "0" + digits.prefix(point) + "."
        + digits.dropFirst(point) + "0"
      let decimal = try Self.decimal(text)
      #expect(Decimal(storedValue: decimal.storedValue) == decimal, "\(text), seed \(seed)")
    }
  }

  @Test func bothFacesCompareDecimalsAsNumbers() async throws {
    let datastore = try SwiftDatastore(inMemory: SwiftDatastoreModel(from: Price.self))
    try await datastore.newContext().perform { context in
      for text in ["10", "9.5", "-3", "0.1", "100000000000000000000"] {
        let price: Price = try context.createObject()
        price.amount = try Self.decimal(text)
      }
      let schema = context.core.graph.schema
      let entity = try #require(schema.entity(named: "Price"))
      func found(_ text: String) throws -> [Decimal] {
        let request = FetchRequest(
          entity: "Price",
          predicate: try DatastoreCore.Predicate.parse(text, entity: entity, in: schema),
          sortDescriptors: [SortDescriptor(["amount"])])
        let prices: [Price] = try context.fetch(request)
        return prices.map(\.amount)
      }
      let texts = [
        "amount < 10", "amount BETWEEN {0.1, 10.0}", "amount * 2 > 1", "amount == \"9.50\"",
        "amount IN {10, -3}",
      ]
      let unsaved = try texts.map(found)
      try context.saveChanges()
      let saved = try texts.map(found)
      #expect(unsaved == saved)
      #expect(saved[0] == [-3, try Self.decimal("0.1"), try Self.decimal("9.5")])
      #expect(saved[1].count == 3 && saved[2].count == 3 && saved[3].count == 1)
      #expect(saved[4] == [-3, 10])
    }
  }
}
