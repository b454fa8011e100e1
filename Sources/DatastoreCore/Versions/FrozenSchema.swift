public import Foundation

/// A recorded version of a model, so that its classes need not be kept.
///
/// ```swift
/// let old = try FrozenSchema(contentsOf: url, modelVersion: "V1")
/// ```
///
/// `datastore schema FILE --format json` writes it, for any file.
public struct FrozenSchema: DynamicSchema {
  public let modelVersion: String?
  public let schema: Schema

  /// Reads the output of `datastore schema --format json`.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - modelVersion: the name of the version; if nil, the one in the text.
  /// - Throws: `DecodingError` for other texts; `SchemaError` with every fault of the entities.
  public init(json: Data, modelVersion: String? = nil) throws {
    let document = try JSONDecoder().decode(SchemaDocument.self, from: json)
    self.modelVersion = modelVersion ?? document.version
    schema = try Schema(
      document.descriptions, version: self.modelVersion,
      removes: DeclaredLosses(document.removes ?? []))
  }

  /// Creates a version from descriptions of entities.
  ///
  /// - Parameters:
  ///   - descriptions: the entities.
  ///   - modelVersion: the name of the version.
  ///   - removes: the data that a file of the previous version may lose on the way to this one.
  /// - Throws: `SchemaError` with every fault of the entities.
  public init(
    _ descriptions: [EntityDescription], modelVersion: String? = nil, removes: DeclaredLosses = []
  ) throws {
    self.modelVersion = modelVersion
    schema = try Schema(descriptions, version: modelVersion, removes: removes)
  }
}

/// The form of `datastore schema --format json`, as far as entities are concerned.
struct SchemaDocument: Decodable {
  let version: String?
  /// Not written by `datastore schema`; for versions written by hand.
  let removes: [String]?
  private let entities: [EntityEntry]

  /// Parents come before their children, whose properties begin with those of their parents.
  var descriptions: [EntityDescription] {
    var made: [String: EntityDescription] = [:]
    var rest = entities
    while !rest.isEmpty {
      let ready = rest.filter { $0.parent.map { made[$0] != nil } ?? true }
      // The remaining entities have missing parents, or form a cycle, which `Schema` reports.
      for entry in ready.isEmpty ? rest : ready {
        made[entry.name] = entry.description(inheriting: entry.parent.flatMap { made[$0] })
      }
      if ready.isEmpty { break }
      rest.removeAll { made[$0.name] != nil }
    }
    return entities.compactMap { made[$0.name] }
  }

  private struct EntityEntry: Decodable {
    let name: String
    let parent: String?
    let abstract: Bool?
    let readOnly: Bool?
    let renamedFrom: String?
    let hashModifier: String?
    let attributes: [AttributeEntry]
    let relationships: [RelationshipEntry]
    let uniqueness: [[String]]?
    let modelIndexes: [[IndexEntry]]?

    func description(inheriting parent: EntityDescription?) -> EntityDescription {
      let own =
        attributes.map { PropertyDescription.attribute($0.description) }
        + relationships.map { .relationship($0.description) }
      let inherited = parent?.properties ?? []
      let names = Set(inherited.map(\.name))
      return EntityDescription(
        name: name, properties: inherited + own.filter { !names.contains($0.name) },
        uniqueness: uniqueness ?? [], parent: self.parent, isAbstract: abstract ?? false,
        renamedFrom: renamedFrom, isReadOnly: readOnly ?? false,
        indexes: (modelIndexes ?? []).map { columns in
          IndexDescription(columns.map { .init($0.property, isDescending: $0.descending) })
        }, hashModifier: hashModifier)
    }
  }

  private struct IndexEntry: Decodable {
    let property: String
    let descending: Bool
  }

  private struct AttributeEntry: Decodable {
    let name: String
    let type: AttributeType
    let optional: Bool
    let unique: Bool?
    let indexed: Bool?
    let searchable: Bool?
    let readOnly: Bool?
    let declaredType: String?
    let `default`: JSONScalar?
    let cases: [CaseEntry]?
    let renamedFrom: String?
    let storedName: String?
    let hashModifier: String?
    let rules: [RuleEntry]?
    let coder: String?

    var description: AttributeDescription {
      AttributeDescription(
        name: name, type: type, isOptional: optional,
        defaultValue: `default`?.value(of: type) ?? .null, isIndexed: indexed ?? false,
        isUnique: unique ?? false, renamedFrom: renamedFrom, isReadOnly: readOnly ?? false,
        declaredType: declaredType,
        cases: cases?.map { EnumCase(name: $0.name, value: $0.value.value(of: type)) },
        storedName: storedName, hashModifier: hashModifier,
        rules: (rules ?? []).map { $0.rule(of: type) }, coder: coder,
        isSearchable: searchable ?? false)
    }
  }

  private struct RuleEntry: Decodable {
    enum Kind: String, Decodable { case range, length, matches, email }

    let rule: Kind
    let minimum: JSONScalar?
    let maximum: JSONScalar?
    let pattern: String?

    func rule(of type: AttributeType) -> ValidationRule {
      switch rule {
      case .range: .range(minimum: minimum?.value(of: type), maximum: maximum?.value(of: type))
      case .length: .length(minimum: minimum?.count, maximum: maximum?.count)
      case .matches: .matches(pattern ?? "")
      case .email: .email
      }
    }
  }

  private struct CaseEntry: Decodable {
    let name: String
    let value: JSONScalar
  }

  private struct RelationshipEntry: Decodable {
    let name: String
    let kind: RelationshipKind
    let destination: String
    let inverse: String?
    let optional: Bool?
    let deleteRule: DeleteRule?
    let minimumCount: Int?
    let maximumCount: Int?
    let readOnly: Bool?
    let renamedFrom: String?
    let storedName: String?
    let hashModifier: String?

    var description: RelationshipDescription {
      RelationshipDescription(
        name: name, kind: kind, destination: destination, inverse: inverse,
        deleteRule: deleteRule ?? .nullify, minimumCount: minimumCount ?? 0,
        maximumCount: maximumCount ?? 0, renamedFrom: renamedFrom, isReadOnly: readOnly ?? false,
        storedName: storedName, hashModifier: hashModifier, isOptional: optional ?? true)
    }
  }
}

/// A stored value in JSON; the type of its attribute determines its storage class.
private enum JSONScalar: Decodable {
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

  /// A number of characters or bytes.
  var count: Int? {
    if case .integer(let integer) = self { Int(integer) } else { nil }
  }

  func value(of type: AttributeType) -> Value {
    switch (self, type) {
    case (.integer(let integer), .float), (.integer(let integer), .double),
      (.integer(let integer), .date):
      .real(Double(integer))
    case (.integer(let integer), _): .integer(integer)
    case (.real(let real), _): .real(real)
    case (.text(let text), .data), (.text(let text), .uuid), (.text(let text), .coded):
      Data(base64Encoded: text).map { .blob($0) } ?? .text(text)
    case (.text(let text), _): .text(text)
    }
  }
}
