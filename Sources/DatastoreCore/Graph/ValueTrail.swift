/// The progress of making values from objects: the values being made, so that a cycle is detected, and the
/// relationships followed, so that they are read together for the next objects.
package struct ValueTrail {
  /// A value that is being made from an object.
  package struct Step: Hashable {
    private let type: ObjectIdentifier
    private let object: ObjectIdentifier

    package init(_ type: Any.Type, _ object: ManagedObject) {
      self.type = ObjectIdentifier(type)
      self.object = ObjectIdentifier(object)
    }
  }

  private var underWay: Set<Step> = []
  /// The relationships that lead here.
  package private(set) var path: [Slot] = []
  /// The paths that were followed; nil while they are not recorded.
  package var followed: Set<[Slot]>?

  /// The type whose own function is making a value, reading one property after the other.
  package var maker: Any.Type?

  package init() {}

  /// The number of values being made, each a part of the one before.
  package var depth: Int { path.count }

  package func contains(_ step: Step) -> Bool { !path.isEmpty && underWay.contains(step) }

  /// Records that a value of an object needs the values of a relationship.
  package mutating func enter(_ step: Step, at slot: Slot) -> Bool {
    path.append(slot)
    followed?.insert(path)
    return underWay.insert(step).inserted
  }

  /// Ends an `enter`; `isFirst` is its result.
  package mutating func leave(_ step: Step, isFirst: Bool) {
    path.removeLast()
    if isFirst { underWay.remove(step) }
  }
}
