package import DatastoreCore
package import Foundation

/// A schema that was written as JSON: by `datastore schema --format json`, or as `_datastore` of a native file has it.
package struct SchemaDocument {
  package let entities: [EntityDescription]

  /// - Throws: `DecodingError` for what is neither.
  package init(_ data: Data) throws {
    let decoder = JSONDecoder()
    if let entities = try? decoder.decode([EntityDescription].self, from: data) {
      self.entities = entities
      return
    }
    let document = try decoder.decode(Document.self, from: data)
    entities = try document.entities.map { try $0.description(in: document.entities) }
  }

  private struct Document: Decodable { let entities: [DocumentEntity] }

  private struct DocumentEntity: Decodable {
    let name: String
    let parent: String?
    let abstract: Bool?
    let attributes: [DocumentAttribute]
    let relationships: [DocumentRelationship]
    let uniqueness: [[String]]?

    func description(in all: [DocumentEntity]) throws -> EntityDescription {
      EntityDescription(
        name: name, properties: try properties(in: all, 0), uniqueness: uniqueness ?? [],
        parent: parent, isAbstract: abstract ?? false)
    }

    /// Those of the parent first, in the same order as there.
    private func properties(
      in all: [DocumentEntity], _ depth: Int
    ) throws -> [PropertyDescription] {
      var properties: [PropertyDescription] = []
      // A circle of parents is reported by the schema.
      if depth < all.count, let parent = all.first(where: { $0.name == parent }) {
        properties = try parent.properties(in: all, depth + 1)
      }
      let inherited = Set(properties.map(\.name))
      properties += try attributes.filter { !inherited.contains($0.name) }.map {
        .attribute(try $0.description())
      }
      properties += relationships.filter { !inherited.contains($0.name) }.map {
        .relationship($0.description)
      }
      return properties
    }
  }

  private struct DocumentAttribute: Decodable {
    struct Case: Decodable {
      let name: String
      let value: DocumentValue
    }

    let name: String
    let type: AttributeType
    let optional: Bool?
    let unique: Bool?
    let indexed: Bool?
    let `default`: DocumentValue?
    let cases: [Case]?

    func description() throws -> AttributeDescription {
      AttributeDescription(
        name: name, type: type, isOptional: optional ?? true,
        defaultValue: `default`?.value(of: type) ?? .null, isIndexed: indexed ?? false,
        isUnique: unique ?? false,
        cases: cases?.map { EnumCase(name: $0.name, value: $0.value.value(of: type)) })
    }
  }

  private struct DocumentRelationship: Decodable {
    let name: String
    let kind: RelationshipKind
    let destination: String
    let inverse: String?
    let deleteRule: DeleteRule?
    let minimumCount: Int?
    let maximumCount: Int?

    var description: RelationshipDescription {
      RelationshipDescription(
        name: name, kind: kind, destination: destination, inverse: inverse,
        deleteRule: deleteRule ?? .nullify, minimumCount: minimumCount ?? 0,
        maximumCount: maximumCount ?? 0)
    }
  }

  /// A value whose storage class the attribute's type says.
  private enum DocumentValue: Decodable {
    case integer(Int64)
    case real(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let integer = try? container.decode(Int64.self) {
        self = .integer(integer)
      } else if let real = try? container.decode(Double.self) {
        self = .real(real)
      } else {
        self = .text(try container.decode(String.self))
      }
    }

    func value(of type: AttributeType) -> Value {
      switch (self, type) {
      case (.integer(let integer), .double), (.integer(let integer), .float),
        (.integer(let integer), .date):
        .real(Double(integer))
      case (.integer(let integer), _): .integer(integer)
      case (.real(let real), _): .real(real)
      case (.text(let text), .data), (.text(let text), .coded), (.text(let text), .uuid):
        Data(base64Encoded: text).map { .blob($0) } ?? .null
      case (.text(let text), _): .text(text)
      }
    }
  }
}
