import DatastoreCore

/// Which of the classes of a model inherit from each other. Classes that are not listed in it count as part
/// of their children.
struct ClassFamilies {
  /// By class, for those that have one: the nearest class it inherits from that is part of the model.
  private var parents: [ObjectIdentifier: ClassReflection] = [:]
  private(set) var faults: [SchemaFault] = []

  init(_ reflections: [ClassReflection]) {
    let listed = Set(reflections.map { ObjectIdentifier($0.type) })
    for reflection in reflections {
      let superclasses = reflection.superclasses
      if let parent = superclasses.first(where: { listed.contains(ObjectIdentifier($0)) }) {
        parents[ObjectIdentifier(reflection.type)] = ClassReflection.of(parent)
      }
      for type in superclasses where !listed.contains(ObjectIdentifier(type)) && type.isAbstract {
        let isInherited = ClassReflection.of(type).superclasses.contains { $0.isAbstract }
        if isInherited { continue }
        faults.append(
          .invalidClass(
            "\(reflection.type.entityName) inherits from the abstract class \(type), which is not part of "
              + "the model; add \(type) to it."))
      }
    }
  }

  func parent(of type: DatastoreObject.Type) -> ClassReflection? {
    parents[ObjectIdentifier(type)]
  }

  /// How many of a class's properties it has from classes of the model.
  func inheritedCount(_ type: DatastoreObject.Type) -> Int {
    parent(of: type)?.records.count ?? 0
  }

  /// The class of the model that a property belongs to, among a class and those it inherits from.
  func declaring(_ slot: Slot, in type: DatastoreObject.Type) -> DatastoreObject.Type {
    var type = type
    while let parent = parent(of: type), parent.records.indices.contains(slot) {
      type = parent.type
    }
    return type
  }

  /// Says of a class that is abstract by inheritance only how to make it otherwise.
  func explained(_ fault: SchemaFault, _ reflections: [ClassReflection]) -> SchemaFault {
    guard case .abstractWithoutChildren(let name) = fault,
      let type = reflections.first(where: { $0.type.entityName == name })?.type,
      let parent = parent(of: type)?.type, parent.isAbstract
    else { return fault }
    return .invalidClass(
      "\(name) is abstract, as \(parent) is, and has no children; let `isAbstract` of \(parent) say which "
        + "class it is about: `self == \(parent).self`.")
  }
}
