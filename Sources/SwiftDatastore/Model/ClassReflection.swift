import Basics
import DatastoreCore

/// Facts about one model class, read once from a prototype.
///
/// Sendable: the prototype is never changed after it was made, and read only for the slots of its wrappers,
/// which are constants.
@usableFromInline
final class ClassReflection: @unchecked Sendable {
  let type: DatastoreObject.Type
  let records: BySlot<PropertyRecord>
  /// Property names by slot.
  let names: BySlot<String>
  let prototype: DatastoreObject
  /// The slots of attributes whose default expressions give a new value each time.
  let changingDefaults: [Slot]
  /// The slot numbering of its objects' wrappers; nil when one class declares them all.
  let slotBlocks: SlotBlocks?

  /// By class. There is no recursive look-up: inverses are resolved after a class is known.
  private static let known = Lock<[ObjectIdentifier: ClassReflection]>([:])

  /// The reflection of a class, made on first use. Any thread.
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
    // The first prototype shows how many properties each class declares; only then can they be numbered.
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

  /// The slot that an untyped key path names, or nil if it belongs to another class or is not the `$property`
  /// of a stored one.
  func slot(ofAny keyPath: AnyKeyPath) -> Slot? {
    // Evaluates no other key path, because the prototype has no values.
    guard Swift.type(of: keyPath).valueType is any EntityProperty.Type else { return nil }
    return (prototype[keyPath: keyPath] as? any EntityProperty)?.slot
  }

  /// The superclass, if it is a model class.
  var parent: DatastoreObject.Type? { superclasses.first }

  /// The model classes among the superclasses, nearest first.
  var superclasses: [DatastoreObject.Type] {
    var classes: [DatastoreObject.Type] = []
    var mirror = Mirror(reflecting: prototype).superclassMirror
    while let current = mirror, current.subjectType != DatastoreObject.self {
      if let type = current.subjectType as? DatastoreObject.Type { classes.append(type) }
      mirror = current.superclassMirror
    }
    return classes
  }

  /// Whether `other` is among the superclasses.
  func inherits(from other: DatastoreObject.Type) -> Bool {
    superclasses.contains { $0 == other }
  }

  /// The number of stored properties that each class declares itself, subclass first.
  private static func slotCounts(of prototype: DatastoreObject) -> [Int] {
    var counts: [Int] = []
    var mirror: Mirror? = Mirror(reflecting: prototype)
    while let current = mirror, current.subjectType != DatastoreObject.self {
      counts.append(current.children.count { $0.value is any SlottedWrapper })
      mirror = current.superclassMirror
    }
    return counts
  }

  /// A class stores its wrappers as `_name`.
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

/// Any wrapper of a stored property, as `Mirror` finds it.
package protocol SlottedWrapper {
  /// The number of its property in the class.
  var slot: Int16 { get }
}
