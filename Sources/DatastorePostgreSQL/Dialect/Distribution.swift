#if PostgreSQL
import Basics
package import DatastoreCore
import DatastoreSQL
import Foundation

/// The property by which the rows of each entity are distributed over the machines of a server: its column is
/// the first part of the primary key, and the distribution column of Citus.
package struct Distribution: Hashable, Sendable {
  /// By entity: the property, and its former names in the store that is migrated.
  private var properties: [String: [String]] = [:]

  package init() {}

  /// - Parameter names: `Employee.company`, one for an entity.
  /// - Throws: `StoreError` for a name in another form, or for an entity that occurs twice.
  package init(_ names: [String]) throws(StoreError) {
    for name in names {
      let parts = name.parts(at: ".")
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw Self.fault(name, "write an entity and a property of it, as “Employee.company”")
      }
      guard properties.updateValue([String(parts[1])], forKey: String(parts[0])) == nil else {
        throw Self.fault(name, "rows of \(parts[0]) are distributed by another property already")
      }
    }
  }

  package var isEmpty: Bool { properties.isEmpty }

  /// The property for the table of an entity; nil if it is not distributed.
  func property(of entity: Entity) -> String? {
    properties[entity.name]?.first { entity.slot(named: $0) != nil }
  }

  /// - Throws: `StoreError` for a property that cannot be part of a primary key.
  func check(_ schema: Schema) throws(StoreError) {
    for (name, names) in properties.sorted(by: { $0.key < $1.key }) {
      let said = "\(name).\(names[0])"
      guard let entity = schema.entity(named: name) else {
        throw Self.fault(said, "the model has no entity “\(name)”")
      }
      guard entity.parent == nil else {
        throw Self.fault(said, "\(name) shares the table of the entity that it inherits from")
      }
      guard let slot = entity.slot(named: names[0]) else {
        throw Self.fault(said, "\(name) has no property “\(names[0])”")
      }
      switch entity.properties[slot] {
      case .attribute(let attribute):
        if attribute.isOptional { throw Self.fault(said, "it has to have a value in every row") }
      case .relationship(let relationship):
        if relationship.kind != .toOne {
          throw Self.fault(said, "it leads to many objects, so that no column has it")
        }
        if relationship.isOptional { throw Self.fault(said, "it has to have a value in every row") }
      }
    }
  }

  /// - Throws: `StoreError` for uniqueness that is not enforced once rows are on several machines: each
  ///   checks only its own rows, so a unique set must contain the property that determines the machine.
  func requireKeptUniqueness(in mapping: SchemaMapping) throws(StoreError) {
    for entity in mapping.schema.entities {
      let root = mapping.schema.entities[entity.root]
      guard mapping.entities[root.index].distribution?.isSpread ?? false,
        let property = property(of: root)
      else { continue }
      let single = entity.properties.compactMap(\.attribute).filter(\.isUnique).map { [$0.name] }
      guard
        let names = (single + entity.description.uniqueness).first(where: { !$0.contains(property) }
        )
      else { continue }
      let list = names.map { "“\($0)”" }.joined(separator: " and ")
      throw Self.fault(
        "\(root.name).\(property)",
        "\(list) of \(entity.name) would have to be unique over all machines, of which each sees its own rows "
          + "only. Have it unique together with “\(property)” (uniqueConstraints), or not at all")
    }
  }

  private static func fault(_ name: String, _ reason: String) -> StoreError {
    .unsupportedPredicate("No table can be distributed by “\(name)”: \(reason).")
  }
}

/// The distribution as a store records it.
extension Distribution {
  /// The key of the row in `_datastore`.
  static let key = "distribution"

  /// The text of the row.
  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let content = try? encoder.encode(properties.compactMapValues(\.first))
    return String(decoding: content ?? Data("{}".utf8), as: UTF8.self)
  }

  /// - Parameter text: a result of `text`.
  init(text: String) {
    let content = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    properties = (content ?? [:]).mapValues { [$0] }
  }

  /// The distribution that a store with this distribution must be opened with.
  ///
  /// - Parameters:
  ///   - given: the distribution that the program requests; nil for that of the store.
  ///   - old: the schema of the store.
  ///   - schema: the schema that it is to have.
  /// - Returns: the distribution, under the names of both schemas.
  /// - Throws: `StoreError` if the program requests another one.
  func opened(
    with given: Distribution?, _ old: Schema, as schema: Schema, place: String
  ) throws(StoreError) -> Distribution {
    var result = given ?? Distribution()
    for entity in schema.entities where entity.parent == nil {
      let former = Self.former(entity.name, entity.description.renamedFrom) {
        old.entity(named: $0) != nil
      }
      // A table that is created now is distributed as the program says.
      guard let former, let oldEntity = old.entity(named: former) else { continue }
      let expected = properties[former]?.first.map { name in
        entity.properties.first { property in
          Self.former(property.name, property.renamedFrom) { oldEntity.slot(named: $0) != nil }
            == name
        }?.name ?? name
      }
      let said = given == nil ? expected : result.properties[entity.name]?.first
      guard said == expected else {
        func words(_ property: String?) -> String {
          property.map { "by \(entity.name).\($0)" } ?? "by nothing"
        }
        throw .unsupportedPredicate(
          "The rows of \(entity.name) in \(place) are distributed \(words(expected)), and the program says "
            + "\(words(said)). Say what the store says (distributedBy), or copy its objects into a new one."
        )
      }
      guard let expected else { continue }
      result.properties[entity.name] = [expected]
      // The existing tables have the former names.
      if let name = properties[former]?.first {
        result.properties[former, default: []].append(name)
      }
    }
    return result
  }

  /// The former name of something, if it existed then.
  private static func former(
    _ name: String, _ former: String?, _ isThere: (String) -> Bool
  ) -> String? {
    if let former, isThere(former) { return former }
    return isThere(name) ? name : nil
  }

  /// Without the former names.
  func present(in schema: Schema) -> Distribution {
    var result = Distribution()
    for (name, names) in properties where schema.entity(named: name)?.parent == nil {
      if schema.entity(named: name) != nil { result.properties[name] = [names[0]] }
    }
    return result
  }
}
#endif
