import DatastoreCore

/// The inheritance among the classes of a model. A class that is not listed counts as part of its children.
struct ClassFamilies {
  /// The nearest ancestor that is part of the model, by class.
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

  /// The number of a class's properties that it inherits from classes of the model.
  func inheritedCount(_ type: DatastoreObject.Type) -> Int {
    parent(of: type)?.records.count ?? 0
  }

  /// The class of the model that declares a property, among a class and its ancestors.
  func declaring(_ slot: Slot, in type: DatastoreObject.Type) -> DatastoreObject.Type {
    var type = type
    while let parent = parent(of: type), parent.records.indices.contains(slot) {
      type = parent.type
    }
    return type
  }

  /// For a class that is abstract only by inheritance, replaces a fault by one that says how to declare the
  /// class.
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
