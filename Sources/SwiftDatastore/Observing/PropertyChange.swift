public import DatastoreCore

/// Which values an observer of a property is handed, and when it is called first.
public struct PropertyObservingOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The value after the change.
  public static let new = PropertyObservingOptions(rawValue: 1 << 0)
  /// The value before the change.
  public static let old = PropertyObservingOptions(rawValue: 1 << 1)
  /// A call at once, before there is a change.
  public static let initial = PropertyObservingOptions(rawValue: 1 << 2)
}

/// What has happened to a property: the values that were asked for.
public struct PropertyChange<Value> {
  /// The value after the change, or now for the first call; nil unless `new` is among the options.
  public let newValue: Value?
  /// The value before the change; nil unless `old` is among the options, and for the first call.
  public let oldValue: Value?
}

extension EntityProperty {
  /// Calls the closure after every change of the property, with the value before it and the value after it, until the
  /// token is released or cancelled.
  ///
  /// ```swift
  /// let token = employee.$salary.observe(options: [.old, .new]) { employee, change in
  ///   print(change.oldValue ?? 0, "→", change.newValue ?? 0)
  /// }
  /// ```
  ///
  /// Runs like `observe(_:)`. The value before a change is the one that the closure was told of last, which is kept as
  /// long as the token.
  ///
  /// - Parameters:
  ///   - options: which values the closure is handed.
  ///   - closure: is handed the object and the values.
  /// - Returns: the token.
  public func observe(
    options: PropertyObservingOptions,
    _ closure:
      @escaping (_ object: DatastoreObject, _ change: PropertyChange<PropertyValue>) -> Void
  ) -> PropertyObservation {
    let object = object
    var known = options.contains(.old) ? value : nil
    if options.contains(.initial) {
      closure(object, PropertyChange(newValue: options.contains(.new) ? value : nil, oldValue: nil))
    }
    return observe { [unowned object] value in
      let change = PropertyChange(newValue: options.contains(.new) ? value : nil, oldValue: known)
      if options.contains(.old) { known = value }
      closure(object, change)
    }
  }
}
