import Basics

/// The rule that an object is used only where its context lives.
extension ManagedObject {
  /// Traps when this is not the queue or actor of the object's context.
  @inlinable
  package final func requireAccess() {
    if !graph.isAccessPermitted { accessDenied() }
  }

  /// Traps for properties that are not stored, except in prototypes, which have them, too.
  package final func requireMemoryAccess() {
    if !graph.isAccessPermitted, !graph.isPrototype { accessDenied() }
  }

  @usableFromInline
  package final func accessDenied() -> Never {
    if graph.isPrototype {
      trap(
        "A property of \(entity.name) was touched in `init(managedObject:)`. That also runs for a prototype without "
          + "values, from which the model learns what the class stores; set values in `objectDidCreate()`."
      )
    }
    trap(
      "\(entity.name) \(key) was touched outside its context. An object is used only inside "
        + "`perform` of the context that fetched it (objects of the view context: on the main actor); "
        + "pass its `objectID`, or use `convert(existingObject:)`.")
  }
}
