import Basics
package import DatastoreCore

/// The names and types of a class and of the destinations of its relationships, for parsing texts without a
/// datastore.
enum ClassSchemas {
  private static let known = Lock<[ObjectIdentifier: Schema]>([:])

  /// The schema of a class, made on first use. It has no inverses and no inheritance: inherited properties
  /// count as the class's own. Any thread.
  static func schema(of type: DatastoreObject.Type) throws -> Schema {
    if let schema = known.withLock({ $0[ObjectIdentifier(type)] }) { return schema }
    var types = [type]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(type)]
    var descriptions: [EntityDescription] = []
    while let next = types.popLast() {
      let reflection = ClassReflection.of(next)
      for case .relationship(let relationship) in reflection.records
      where seen.insert(ObjectIdentifier(relationship.destination)).inserted {
        types.append(relationship.destination)
      }
      descriptions.append(
        EntityDescription(
          name: next.entityName,
          properties: zip(reflection.names, reflection.records).map { name, record in
            record.description(name: name, inverse: nil)
          }))
    }
    let schema = try Schema(descriptions)
    known.withLock { $0[ObjectIdentifier(type)] = schema }
    return schema
  }
}

/// A property named by a text, for programs that write key paths as texts.
package struct NamedProperty {
  /// The operand to read from an object; the number of objects for a to-many relationship.
  package let operand: Predicate.Operand
  /// The type of its values.
  package let type: AttributeType

  /// - Parameters:
  ///   - name: the name of the property, or several joined by dots.
  ///   - owner: the class.
  /// - Throws: `PredicateSyntaxError` when there is no such property.
  package init(_ name: String, of owner: DatastoreObject.Type) throws {
    let schema = try ClassSchemas.schema(of: owner)
    guard let entity = schema.entity(named: owner.entityName) else {
      trap("the schema of a class has the class")
    }
    let path = name.words(at: ".").map(String.init)
    if let resolved = try? PredicatePath(path, from: entity, in: schema), resolved.endsInToMany {
      (operand, type) = (.count(path), .integer64)
      return
    }
    operand = try Predicate.Operand.parse(name, entity: entity, in: schema)
    type = operand.attribute(named: name, of: entity, in: schema).type
  }
}
