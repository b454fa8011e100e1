import DatastoreCore

/// Access to single members of a to-many relationship without reading the others.
///
/// ```swift
/// company.$employees.insert(employee)
/// company.$employees.remove(employee)
/// if company.$employees.contains(employee) { … }
/// ```
extension ToManyProperty {
  /// Whether an object is a member.
  ///
  /// O(1) if the inverse is a to-one relationship; O(members), read as keys, if it is to-many or there is no
  /// inverse.
  public func contains(_ object: Destination) -> Bool {
    self.object.requireReading(slot)
    return self.object.isRelated(to: object, at: slot)
  }

  /// Adds a member, and updates the other side; does nothing for an object that is already a member. In an
  /// ordered relationship it comes last.
  ///
  /// `company.employees.insert(employee)` does the same in O(members), since it reads and assigns all of
  /// them. This method is O(1) if the inverse is to-one and O(members) if it is to-many, like `contains(_:)`.
  /// Traps for a deleted object, and for one of another context.
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
