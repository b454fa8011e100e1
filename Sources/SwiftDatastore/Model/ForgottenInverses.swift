import Foundation

/// Pairs of relationships of which one was most likely meant as the inverse of the other.
///
/// Two classes may have independent relationships to each other, so this is not a fault of the model. But if
/// each has exactly one relationship to the other, and neither names an inverse, the inverse was almost
/// always forgotten: both sides are then stored separately.
struct ForgottenInverses {
  /// A sentence for each pair.
  private(set) var warnings: [String] = []

  init(_ reflections: [ClassReflection], _ inverses: InverseTable, _ families: ClassFamilies) {
    var oneWay: [Place] = []
    for reflection in reflections {
      let inherited = families.inheritedCount(reflection.type)
      for (slot, record) in reflection.records.placed.dropFirst(inherited) {
        let name = reflection.names[slot]
        guard case .relationship(let relationship) = record,
          inverses.inverse(of: name, slot, in: reflection.type) == nil
        else { continue }
        oneWay.append(
          Place(type: reflection.type, name: name, destination: relationship.destination))
      }
    }
    for (index, place) in oneWay.enumerated() {
      let there = oneWay.filter { $0.type == place.destination && $0.destination == place.type }
      let here = oneWay.filter { $0.type == place.type && $0.destination == place.destination }
      let isSelf = place.type == place.destination
      guard here.count == (isSelf ? 2 : 1), there.count == here.count,
        let other = there.first(where: { $0.name != place.name || $0.type != place.type }),
        let otherIndex = oneWay.firstIndex(where: { $0.type == other.type && $0.name == other.name }
        ),
        index < otherIndex
      else { continue }
      warnings.append(
        "\(place.title) and \(other.title) lead to each other’s class and neither names an inverse, so "
          + "that changing one does not change the other. If they are two sides of one relationship, "
          + "write `inverse: \\.$\(other.name)` at \(place.title), or the other way round.")
    }
  }

  private struct Place {
    let type: DatastoreObject.Type
    let name: String
    let destination: DatastoreObject.Type

    var title: String { "\(type.entityName).\(name)" }
  }
}
