public import DatastoreCore

/// The values that an observer of a property receives, and the time of its first call.
public struct PropertyObservingOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = PropertyObservingOptions(rawValue: 1 << 0)
  /// The value before the change.
  public static let old = PropertyObservingOptions(rawValue: 1 << 1)
  /// A first call at once, before any change.
  public static let initial = PropertyObservingOptions(rawValue: 1 << 2)
  /// Two calls for each change: one whose `isPrior` is true, without the new value, then the other. The
  /// property has its new value in both, because changes are reported after they were made.
  public static let prior = PropertyObservingOptions(rawValue: 1 << 3)
}

/// A change of a property, with the requested values.
public struct PropertyChange<Value> {
  /// The kind of a change.
  public enum Kind: Sendable, Hashable {
    /// The property was assigned another value, or the same one again.
    case setting
    /// A relationship has gained members, and lost none.
    case insertion
    /// A relationship has lost members, and gained none.
    case removal
    /// A relationship has lost members and gained others.
    case replacement
  }

  /// The kind of the change: always `setting` unless the property is a to-many relationship and `old` is
  /// among the options.
  public let kind: Kind
  /// Whether it is the first of two calls, see `prior`.
  public let isPrior: Bool
  /// The value after the change, or the current one in the first call; nil unless `new` is among the options.
  public let newValue: Value?
  /// The value before the change; nil unless `old` is among the options, and in the first call.
  public let oldValue: Value?
}

extension EntityProperty {
  /// Calls the closure after every change of the property, with the value before it and the value after it,
  /// until the token is released or cancelled.
  ///
  /// ```swift
  /// let token = employee.$salary.observe(options: [.old, .new]) { employee, change in
  ///   print(change.oldValue ?? 0, "→", change.newValue ?? 0)
  /// }
  /// ```
  ///
  /// Runs like `observe(_:)`. The value before a change is the one that the closure received last, which is
  /// kept as long as the token.
  ///
  /// - Parameters:
  ///   - options: the values that the closure receives.
  ///   - closure: receives the object and the values.
  /// - Returns: the token.
  public func observe(
    options: PropertyObservingOptions,
    _ closure:
      @escaping (_ object: DatastoreObject, _ change: PropertyChange<PropertyValue>) -> Void
  ) -> PropertyObservation {
    let object = object
    let isToMany = object.entity.links[slot]?.kind.isToMany ?? false
    var known = options.contains(.old) ? value : nil
    func change(to new: PropertyValue, isPrior: Bool = false) -> PropertyChange<PropertyValue> {
      PropertyChange(
        kind: isToMany ? .init(from: known, to: new) : .setting, isPrior: isPrior,
        newValue: options.contains(.new) && !isPrior ? new : nil, oldValue: known)
    }
    if options.contains(.initial) {
      let new = options.contains(.new) ? value : nil
      closure(object, PropertyChange(kind: .setting, isPrior: false, newValue: new, oldValue: nil))
    }
    return observe { [unowned object] value in
      if options.contains(.prior) { closure(object, change(to: value, isPrior: true)) }
      let change = change(to: value)
      if options.contains(.old) { known = value }
      closure(object, change)
    }
  }
}

extension PropertyChange.Kind {
  /// A change of a relationship from `old` to `new` members. O(members).
  fileprivate init(from old: Value?, to new: Value) {
    guard let old = old as? any Collection, let new = new as? any Collection else {
      self = .setting
      return
    }
    let (before, after) = (Set(membersOf: old), Set(membersOf: new))
    self =
      switch (before.isSubset(of: after), after.isSubset(of: before)) {
      case (true, true): .setting
      case (true, false): .insertion
      case (false, true): .removal
      case (false, false): .replacement
      }
  }
}

extension Set<DatastoreObject> {
  fileprivate init(membersOf value: some Collection) {
    self.init(value.compactMap { $0 as? DatastoreObject })
  }
}
