import DatastoreCore
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import Testing

private enum Size: Int16, CaseIterable, Sendable {
  case small = 1
  case medium
  case large = 10
}
private enum Shade: String, Sendable { case light, dark }

private final class Shirt: DatastoreObject {
  @Attribute.Enum var size: Size?
  @Attribute.Enum var shade: Shade?
}

/// The cases of a model's enums in its store.
@Suite struct EnumCaseTests {
  private static let sizes = [
    EnumCase(name: "small", value: 1), EnumCase(name: "medium", value: 2),
    EnumCase(name: "large", value: 10),
  ]

  @Test func enumsThatListTheirCasesAreKeptWithThem() throws {
    let model = try SwiftDatastoreModel(from: Shirt.self)
    let shirt = try #require(model.schema.entity(named: "Shirt"))
    #expect(shirt.properties[0].attribute?.cases == Self.sizes)
    #expect(shirt.properties[1].attribute?.cases == nil)
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("shirts.sqlite")
    try SwiftDatastore(dataModel: model, url: url).close()
    let opened = try SwiftDatastore(opening: url)
    #expect(opened.schema.entity(named: "Shirt")?.properties[0].attribute?.cases == Self.sizes)
    try opened.close()
  }

  @Test func casesComeAndGoWithoutMakingItAnotherModel() throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("shirts.sqlite")
    func open(_ cases: [EnumCase]?) throws -> [EnumCase]? {
      let size = AttributeDescription(name: "size", type: .integer16, cases: cases)
      let schema = try Schema([EntityDescription(name: "Shirt", properties: [.attribute(size)])])
      try SwiftDatastore(schema: schema, url: url).close()
      let opened = try SwiftDatastore(opening: url)
      defer { _ = try? opened.close() }
      return opened.schema.entities[0].properties[0].attribute?.cases
    }
    #expect(try open(nil) == nil)
    #expect(try open(Self.sizes) == Self.sizes)
    let fewer = Array(Self.sizes.dropLast())
    #expect(try open(fewer) == fewer)
    #expect(try open(nil) == nil)
  }
}
