/// Where the making of values from objects is: what is under way, so that a way that leads back is seen, and
/// which relationships were followed, so that they are read together for the next objects.
package struct ValueTrail {
  /// A value that is being made of an object.
  package struct Step: Hashable {
    private let type: ObjectIdentifier
    private let object: ObjectIdentifier

    package init(_ type: Any.Type, _ object: ManagedObject) {
      self.type = ObjectIdentifier(type)
      self.object = ObjectIdentifier(object)
    }
  }

  private var underWay: Set<Step> = []
  /// The relationships that have led here.
  package private(set) var path: [Slot] = []
  /// Paths that were followed; nil while they are not recorded.
  package var followed: Set<[Slot]>?

  /// The type that is being made by a function of its own, which reads one property after the other.
  package var maker: Any.Type?

  package init() {}

  /// How many values are under way, each as a part of the one before.
  package var depth: Int { path.count }

  package func contains(_ step: Step) -> Bool { !path.isEmpty && underWay.contains(step) }

  /// Records that a value of an object needs those that a relationship leads to.
  package mutating func enter(_ step: Step, at slot: Slot) -> Bool {
    path.append(slot)
    followed?.insert(path)
    return underWay.insert(step).inserted
  }

  /// The opposite; `isFirst` is what `enter` has returned.
  package mutating func leave(_ step: Step, isFirst: Bool) {
    path.removeLast()
    if isFirst { underWay.remove(step) }
  }
}
