import Basics
import DatastoreCore

/// What the library knows of one model class, read once from a prototype.
///
/// Sendable: the prototype is never changed after it was made, and read only for the slots of its
/// wrappers, which are constants.
@usableFromInline
final class ClassReflection: @unchecked Sendable {
  let type: DatastoreObject.Type
  let records: BySlot<PropertyRecord>
  /// Property names by slot.
  let names: BySlot<String>
  let prototype: DatastoreObject
  /// The slots of attributes whose defaults are other values when they are evaluated again.
  let changingDefaults: [Slot]
  /// How the wrappers of its objects number themselves; nil when one class declares them all.
  let slotBlocks: SlotBlocks?

  /// By class. Recursive look-ups do not happen: inverses are resolved after a class is known.
  private static let known = Lock<[ObjectIdentifier: ClassReflection]>([:])

  /// The reflection of a class; made the first time. Any thread.
  @usableFromInline
  static func of(_ type: DatastoreObject.Type) -> ClassReflection {
    known.withLock { known in
      if let reflection = known[ObjectIdentifier(type)] { return reflection }
      let reflection = ClassReflection(type)
      known[ObjectIdentifier(type)] = reflection
      return reflection
    }
  }

  private init(_ type: DatastoreObject.Type) {
    self.type = type
    let (first, firstRecords) = Self.makePrototype(of: type, nil)
    slotBlocks = SlotBlocks(Self.slotCounts(of: first))
    // Only now is known how many properties each class declares, and with that their numbers.
    let (prototype, records) =
      slotBlocks == nil ? (first, firstRecords) : Self.makePrototype(of: type, slotBlocks)
    self.prototype = prototype
    self.records = BySlot(records)
    names = BySlot(zip(records, Self.propertyNames(of: prototype)).map { $0.name ?? $1 })
    let (_, again) = Self.makePrototype(of: type, slotBlocks)
    changingDefaults = zip(records, again).enumerated()
      .filter { $1.0.defaultValue != $1.1.defaultValue }.map { Slot($0.offset) }
  }

  private static func makePrototype(
    of type: DatastoreObject.Type, _ blocks: SlotBlocks?
  ) -> (DatastoreObject, [PropertyRecord]) {
    let graph = ObjectGraph.prototype(entityName: type.entityName)
    var made: DatastoreObject?
    let records = ModelRecorder.recording(blocks) {
      made = type.init(managedObject: graph.prototypeLogic)
    }
    guard let made else { trap("an initialiser returned nothing") }
    return (made, records)
  }

  /// The slot that a key path like `\.$name` names. O(1), without hashing the key path.
  @usableFromInline
  func slot<O: DatastoreObject, P: EntityProperty>(of keyPath: KeyPath<O, P>) -> Slot {
    guard let prototype = prototype as? O else {
      trap("\(type) is not a \(O.self)")
    }
    return prototype[keyPath: keyPath].slot
  }

  /// The name of the property of a key path.
  func name<O: DatastoreObject, P: EntityProperty>(of keyPath: KeyPath<O, P>) -> String {
    names[slot(of: keyPath)]
  }

  /// The slot that a key path without its types names, or nil when it is of another class or no
  /// `$property` of a stored one.
  func slot(ofAny keyPath: AnyKeyPath) -> Slot? {
    // Nothing else may be evaluated: the prototype has no values.
    guard Swift.type(of: keyPath).valueType is any EntityProperty.Type else { return nil }
    return (prototype[keyPath: keyPath] as? any EntityProperty)?.slot
  }

  /// The class it inherits from.
  var parent: DatastoreObject.Type? { superclasses.first }

  /// The model classes it inherits from, the nearest first.
  var superclasses: [DatastoreObject.Type] {
    var classes: [DatastoreObject.Type] = []
    var mirror = Mirror(reflecting: prototype).superclassMirror
    while let current = mirror, current.subjectType != DatastoreObject.self {
      if let type = current.subjectType as? DatastoreObject.Type { classes.append(type) }
      mirror = current.superclassMirror
    }
    return classes
  }

  /// Whether the class inherits from another.
  func inherits(from other: DatastoreObject.Type) -> Bool {
    superclasses.contains { $0 == other }
  }

  /// How many stored properties each class declares itself, subclass first.
  private static func slotCounts(of prototype: DatastoreObject) -> [Int] {
    var counts: [Int] = []
    var mirror: Mirror? = Mirror(reflecting: prototype)
    while let current = mirror, current.subjectType != DatastoreObject.self {
      counts.append(current.children.count { $0.value is any SlottedWrapper })
      mirror = current.superclassMirror
    }
    return counts
  }

  /// Wrappers are in a class as `_name`.
  private static func propertyNames(of prototype: DatastoreObject) -> [String] {
    var names: [Int16: String] = [:]
    var mirror: Mirror? = Mirror(reflecting: prototype)
    while let current = mirror, current.subjectType != DatastoreObject.self {
      for child in current.children {
        guard let wrapper = child.value as? any SlottedWrapper, let label = child.label else {
          continue
        }
        names[wrapper.slot] = label.hasPrefix("_") ? String(label.dropFirst()) : label
      }
      mirror = current.superclassMirror
    }
    return names.keys.sorted().compactMap { names[$0] }
  }
}

/// Any of the wrappers of stored properties, as `Mirror` finds it.
package protocol SlottedWrapper {
  /// The number of its property in the class.
  var slot: Int16 { get }
}
