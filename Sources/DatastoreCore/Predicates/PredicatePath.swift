import Basics

/// A key path resolved against a schema: its destination, and whether it runs through a to-many.
package struct PredicatePath {
  package enum Destination {
    case attribute(AttributeDescription)
    /// A relationship, or the object itself for the empty path: the value is a key.
    case object(Entity)
  }

  /// Why a path does not resolve.
  package enum Fault: Error {
    /// The entity has no property with the name at that index.
    case unknown(index: Int, entity: Entity)
    /// The path continues after the attribute at that index.
    case attributeInside(index: Int, entity: Entity)
  }

  /// A last step that stands for the name of an object's own entity: a descendant's, if the path leads to a
  /// parent.
  package static let entityStep = "@entity"

  /// A last step after a to-one relationship that stands for the value in its column, where that is not the
  /// number of a row (`RelationshipDescription.referred`). It is not written: the text of such a path is
  /// that of the relationship.
  package static let storedStep = "@stored"

  /// A path of only this step is the rank of an object in the searches of a request; allowed only in its
  /// order.
  package static let rankStep = "@rank"

  package let destination: Destination
  package let isThroughToMany: Bool
  package let endsInToMany: Bool
  /// The part of a date at the end of the path, if any.
  package let datePart: DatePart?

  /// Resolves a path. Aliases are replaced; a fault's index refers to the path after that.
  package init(_ path: [String], from entity: Entity, in schema: Schema) throws(Fault) {
    let path = entity.resolvingAliases(in: path, of: schema)
    if let calculation = Calculation(path, of: entity) {
      guard let operand = try? calculation.operand(of: entity, in: schema) else {
        throw .unknown(index: 0, entity: entity)
      }
      destination = .attribute(
        operand.attribute(named: calculation.text, of: entity, in: schema))
      (isThroughToMany, endsInToMany, datePart) = (false, false, nil)
      return
    }
    var entity = entity
    var isThroughToMany = false
    var endsInToMany = false
    var stored: AttributeDescription?
    for (index, name) in path.enumerated() {
      guard let slot = entity.slot(named: name) else {
        if name == Self.storedStep, index == path.count - 1, let stored {
          destination = .attribute(stored)
          (self.isThroughToMany, self.endsInToMany, datePart) = (isThroughToMany, false, nil)
          return
        }
        guard name == Self.entityStep, index == path.count - 1 else {
          throw .unknown(index: index, entity: entity)
        }
        destination = .attribute(
          AttributeDescription(name: name, type: .string, isReadOnly: true))
        (self.isThroughToMany, self.endsInToMany, datePart) = (isThroughToMany, false, nil)
        return
      }
      if let attribute = entity.properties[slot].attribute {
        if index == path.count - 2, attribute.dates != nil,
          let part = DatePart(step: path[index + 1])
        {
          destination = .attribute(
            AttributeDescription(
              name: attribute.name, type: part.type, isReadOnly: true, cases: part.cases))
          datePart = part
        } else {
          guard index == path.count - 1 else {
            throw .attributeInside(index: index, entity: entity)
          }
          destination = .attribute(attribute)
          datePart = nil
        }
        self.isThroughToMany = isThroughToMany
        self.endsInToMany = false
        return
      }
      guard let link = entity.links[slot] else {
        trap("A property that is not an attribute is a relationship.")
      }
      endsInToMany = link.kind.isToMany
      isThroughToMany = isThroughToMany || endsInToMany
      stored = schema.storedAttribute(of: link)
      entity = schema.entities[link.destination]
    }
    destination = .object(entity)
    datePart = nil
    self.isThroughToMany = isThroughToMany
    self.endsInToMany = endsInToMany
  }
}

extension Schema {
  /// The values in the column of a to-one relationship, as an attribute; nil if it stores the number of a
  /// row.
  package func storedAttribute(of link: RelationshipLink) -> AttributeDescription? {
    guard let name = link.description.referred else { return nil }
    let destination = entities[link.destination]
    return destination.slot(named: name).flatMap { destination.properties[$0].attribute }
      ?? AttributeDescription(name: name, type: .undefined, isReadOnly: true)
  }
}

extension Entity {
  /// A path with every alias replaced by its path. O(steps).
  ///
  /// Names that are neither properties nor aliases are left as they are, with everything after them.
  package func resolvingAliases(in path: [String], of schema: Schema) -> [String] {
    var resolved = path
    var entity = self
    var index = 0
    while index < resolved.count {
      guard let slot = entity.slot(named: resolved[index]) else {
        guard let alias = entity.description.aliases[resolved[index]],
          alias.first.flatMap(entity.slot) != nil || Calculation.isOne(alias)
        else { return resolved }
        resolved.replaceSubrange(index...index, with: alias)
        continue
      }
      guard let link = entity.links[slot] else { return resolved }
      entity = schema.entities[link.destination]
      index += 1
    }
    return resolved
  }
}
