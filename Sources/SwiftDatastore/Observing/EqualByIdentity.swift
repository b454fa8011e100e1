/// An object that is equal to itself and to no other one.
public protocol EqualByIdentity: AnyObject, Hashable {}

extension EqualByIdentity {
  public static func == (left: Self, right: Self) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
