import DatastoreCore

/// Single members of a relationship to many objects, without a look at the others.
///
/// ```swift
/// company.$employees.insert(employee)
/// company.$employees.remove(employee)
/// if company.$employees.contains(employee) { … }
/// ```
extension ToManyProperty {
  /// Whether an object is a member.
  ///
  /// O(1) where the other side of the relationship leads to one object; O(members), which are read as keys,
  /// where it leads to many, or back not at all.
  public func contains(_ object: Destination) -> Bool {
    self.object.requireReading(slot)
    return self.object.isRelated(to: object, at: slot)
  }

  /// Adds a member, and updates the other side; does nothing for an object that is a member already. In an
  /// ordered relationship it comes last.
  ///
  /// `company.employees.insert(employee)` does the same in a time proportional to the members, since it reads
  /// and assigns all of them. This is O(1) where the other side leads to one object and O(members) where it
  /// leads to many, as `contains(_:)` is. Traps for a deleted object, and for one of another context.
  public func insert(_ object: Destination) {
    self.object.requireAccess()
    self.object.addRelated(object, at: slot)
  }

  /// Removes a member, and updates the other side; does nothing for an object that is not a member.
  ///
  /// As fast as `contains(_:)`; in an ordered relationship O(members).
  public func remove(_ object: Destination) {
    self.object.requireAccess()
    self.object.removeRelated(object, at: slot)
  }
}
