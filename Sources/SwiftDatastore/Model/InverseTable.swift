import DatastoreCore

/// Which relationship is whose inverse: each is declared on one side and holds for both.
struct InverseTable {
  private struct Place: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  private var inverses: [Place: String] = [:]
  private(set) var faults: [SchemaFault] = []

  init(_ reflections: [ClassReflection]) {
    for reflection in reflections {
      for (name, record) in zip(reflection.names, reflection.records) {
        guard case .relationship(let relationship) = record, let slot = relationship.inverse?()
        else { continue }
        let destination = ClassReflection.of(relationship.destination)
        guard leadsBack(name, of: reflection, slot, of: destination) else { continue }
        pair(name, in: reflection.type, with: destination.names[slot], in: destination.type)
      }
    }
  }

  func inverse(of name: String, in type: DatastoreObject.Type) -> String? {
    inverses[Place(type: ObjectIdentifier(type), name: name)]
  }

  /// Whether the relationship that is named as an inverse leads to the class that names it.
  private mutating func leadsBack(
    _ name: String, of reflection: ClassReflection, _ slot: Int, of destination: ClassReflection
  ) -> Bool {
    guard case .relationship(let back) = destination.records[slot] else {
      preconditionFailure("`inverse:` takes key paths of relationships only")
    }
    if back.destination == reflection.type { return true }
    let here = reflection.type.entityName
    let there = "\(destination.type.entityName).\(destination.names[slot])"
    if reflection.inherits(from: back.destination) {
      faults.append(
        .invalidClass(
          "\(here) inherits “\(name)”, whose inverse \(there) leads to "
            + "\(back.destination.entityName) only; a relationship with an inverse cannot be "
            + "inherited, so declare it in \(here) with an inverse of its own."))
    } else {
      faults.append(
        .invalidClass(
          "\(here).\(name) names \(there) as its inverse, but that leads to "
            + "\(back.destination.entityName); name a relationship that leads to \(here)."))
    }
    return false
  }

  private mutating func pair(
    _ name: String, in type: DatastoreObject.Type, with inverse: String,
    in destination: DatastoreObject.Type
  ) {
    let here = Place(type: ObjectIdentifier(type), name: name)
    let there = Place(type: ObjectIdentifier(destination), name: inverse)
    if let other = inverses[there], other != name {
      faults.append(
        .invalidClass(
          "\(destination.entityName).\(inverse) is named as the inverse of both "
            + "\(type.entityName).\(name) and “\(other)”; a relationship has one inverse."))
      return
    }
    inverses[here] = inverse
    inverses[there] = name
  }
}
