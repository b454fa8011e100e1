import Basics
import DatastoreCore

/// The inverse of each relationship: an inverse is declared on one side and holds for both.
struct InverseTable {
  private struct Place: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  private var inverses: [Place: String] = [:]
  private(set) var faults: [SchemaFault] = []

  private let families: ClassFamilies

  init(_ reflections: [ClassReflection], _ families: ClassFamilies) {
    self.families = families
    for reflection in reflections {
      // An inherited property has the inverse that it has in the class that declares it.
      let own = zip(reflection.names, reflection.records)
        .dropFirst(families.inheritedCount(reflection.type))
      for (name, record) in own {
        guard case .relationship(let relationship) = record else { continue }
        if relationship.isSymmetric {
          pairWithItself(name, of: reflection, leadingTo: relationship.destination)
        }
        guard let slot = relationship.inverse?() else { continue }
        let destination = ClassReflection.of(relationship.destination)
        guard leadsBack(name, of: reflection, slot, of: destination) else { continue }
        let declaring = families.declaring(slot, in: destination.type)
        guard declaring == destination.type else {
          faults.append(
            .invalidClass(
              "\(reflection.type.entityName).\(name) leads to \(destination.type.entityName), but its "
                + "inverse “\(destination.names[slot])” belongs to every \(declaring.entityName); let it lead "
                + "to \(declaring.entityName), or declare an inverse in "
                + "\(destination.type.entityName)."))
          continue
        }
        pair(name, in: reflection.type, with: destination.names[slot], in: destination.type)
      }
    }
  }

  /// - Parameter slot: the slot of the relationship.
  func inverse(of name: String, _ slot: Slot, in type: DatastoreObject.Type) -> String? {
    inverses[Place(type: ObjectIdentifier(families.declaring(slot, in: type)), name: name)]
  }

  /// Whether the destination of the relationship named as the inverse is the class that names it.
  private mutating func leadsBack(
    _ name: String, of reflection: ClassReflection, _ slot: Slot, of destination: ClassReflection
  ) -> Bool {
    guard case .relationship(let back) = destination.records[slot] else {
      trap("`inverse:` takes key paths of relationships only")
    }
    if back.destination == reflection.type { return true }
    let here = reflection.type.entityName
    let there = "\(destination.type.entityName).\(destination.names[slot])"
    if reflection.inherits(from: back.destination) {
      faults.append(
        .invalidClass(
          "\(here) inherits “\(name)”, whose inverse \(there) leads to "
            + "\(back.destination.entityName); add \(back.destination.entityName) to the model, or "
            + "declare the relationship in \(here) with an inverse of its own."))
    } else {
      faults.append(
        .invalidClass(
          "\(here).\(name) names \(there) as its inverse, but that leads to "
            + "\(back.destination.entityName); name a relationship that leads to \(here)."))
    }
    return false
  }

  private mutating func pairWithItself(
    _ name: String, of reflection: ClassReflection, leadingTo destination: DatastoreObject.Type
  ) {
    let type = reflection.type
    guard destination == type else {
      faults.append(
        .invalidClass(
          "\(type.entityName).\(name) is symmetric, but leads to \(destination.entityName); only a "
            + "relationship from \(type.entityName) to \(type.entityName) can be its own inverse."))
      return
    }
    pair(name, in: type, with: name, in: type)
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
