extension PredicateForm {
  /// A possible left side of a row: a property, or a number computed from many objects.
  package struct Property: Sendable, Hashable {
    package let operand: Predicate.Operand
    /// The written form in a predicate.
    package let text: String
    /// A description: an attribute's type, or the entity of a relationship.
    package let detail: String
    /// The path of a relationship that leads to more properties.
    package let leadsTo: [String]?
  }

  /// The possible left sides of rows after a path of relationships: its own properties first, then those one
  /// relationship further. O(properties × relationships).
  package static func properties(
    behind path: [String] = [], of entity: Entity, in schema: Schema
  ) -> [Property] {
    guard let resolved = try? PredicatePath(path, from: entity, in: schema),
      case .object(let owner) = resolved.destination
    else { return [] }
    var walk = Walk(schema: schema)
    walk.visit(owner, behind: path, isThroughToMany: resolved.isThroughToMany)
    var further = Walk(schema: schema)
    for slot in owner.relationshipSlots {
      guard let link = owner.links[slot] else { continue }
      further.visit(
        schema.entities[link.destination], behind: path + [link.description.name],
        isThroughToMany: resolved.isThroughToMany || link.kind.isToMany)
    }
    return walk.found + further.found
  }

  private struct Walk {
    let schema: Schema
    var found: [Property] = []

    mutating func visit(_ entity: Entity, behind path: [String], isThroughToMany: Bool) {
      for (slot, property) in zip(entity.slots, entity.properties) {
        let place = path + [property.name]
        switch property {
        case .attribute(let attribute):
          let detail = attribute.declaredType ?? attribute.type.rawValue
          add(.keyPath(place), detail)
          if isThroughToMany { addAggregates(attribute, at: place) }
        case .relationship(let relationship):
          let isMany = relationship.kind.isToMany
          let stored = relationship.referred == nil ? [] : [PredicatePath.storedStep]
          add(
            .keyPath(place + stored),
            isMany ? "many \(relationship.destination)" : relationship.destination,
            leadsTo: entity.links[slot] == nil ? nil : place)
          if isMany || isThroughToMany { add(.count(place), "number") }
        }
      }
    }

    private mutating func addAggregates(_ attribute: AttributeDescription, at place: [String]) {
      let isNumeric = attribute.type.isNumeric
      guard isNumeric || attribute.type == .date else { return }
      for aggregate in [Predicate.Aggregate.sum, .average, .minimum, .maximum]
      where isNumeric || aggregate == .minimum || aggregate == .maximum {
        add(.aggregate(aggregate, place), "number")
      }
    }

    private mutating func add(
      _ operand: Predicate.Operand, _ detail: String, leadsTo: [String]? = nil
    ) {
      found.append(
        Property(operand: operand, text: operand.text, detail: detail, leadsTo: leadsTo))
    }
  }
}

extension Predicate.Operand {
  /// The written form in a predicate, with constants in stored form.
  package var text: String { PredicateFormatter(context: nil).text(self, as: .constant) }
}

extension PredicateForm {
  /// The written form of a constant next to an operand of a type.
  package static func literal(_ value: Value, as type: OperandType = .constant) -> String {
    PredicateFormatter.plainText(value, as: type)
  }
}
