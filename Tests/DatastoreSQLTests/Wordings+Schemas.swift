import DatastoreCore
import DatastoreTestSupport

extension Wordings {
  private static func schema(_ entities: [EntityDescription]) -> Schema {
    do {
      return try Schema(entities)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// An entity with an attribute of every kind.
  static let everyType = schema([
    EntityDescription(
      name: "Item",
      properties: [
        CompanySchema.attribute("text", .string), CompanySchema.attribute("site", .url),
        CompanySchema.attribute("small", .integer8), CompanySchema.attribute("whole", .integer64),
        CompanySchema.attribute("unsigned", .unsigned32),
        CompanySchema.attribute("truth", .boolean), CompanySchema.attribute("float", .float),
        CompanySchema.attribute("double", .double), CompanySchema.attribute("money", .decimal),
        CompanySchema.attribute("date", .date), CompanySchema.attribute("day", .calendarDate),
        CompanySchema.attribute("badge", .uuid), CompanySchema.attribute("bytes", .data),
        CompanySchema.attribute("coded", .coded),
      ]),
    EntityDescription(
      name: "Thing", properties: [CompanySchema.attribute("anything", .undefined)]),
  ])

  /// A name that no table should have.
  static let hostileName = "a\"; DROP TABLE x; --"

  /// Names that no columns should have.
  static let hostileNames = ["b\"c", "d`e", "select", "f g", "$1 ?1"]

  /// Names with quotes of both engines in them, keywords, and texts that look like a placeholder.
  static let hostile = schema([
    EntityDescription(
      name: hostileName,
      properties: hostileNames.map {
        .attribute(AttributeDescription(name: $0, type: .integer64, isIndexed: true))
      })
  ])

  /// Cars and laptops, and cars with a motor, which are assets.
  static let family = schema([
    EntityDescription(
      name: "Asset", properties: [CompanySchema.attribute("name", .string)], isAbstract: true),
    EntityDescription(
      name: "Car",
      properties: [
        CompanySchema.attribute("name", .string), CompanySchema.attribute("doors", .integer64),
      ], parent: "Asset"),
    EntityDescription(
      name: "ElectricCar",
      properties: [
        CompanySchema.attribute("name", .string), CompanySchema.attribute("doors", .integer64),
        CompanySchema.attribute("range", .double),
      ], parent: "Car"),
    EntityDescription(
      name: "Laptop",
      properties: [
        CompanySchema.attribute("name", .string), CompanySchema.attribute("memory", .integer64),
      ], parent: "Asset"),
  ])
}
