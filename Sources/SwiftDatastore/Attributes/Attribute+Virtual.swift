import Basics

extension Attribute {
  /// A property that is never stored: a value kept with the object in memory, or computed from it.
  ///
  /// ```swift
  /// @Attribute.Virtual var isExpanded = false
  /// @Attribute.Virtual var thumbnail: Image?
  /// @Attribute.Virtual(compute: { (employee: Employee) in
  ///   "\(employee.name) \(employee.surname)"
  /// })
  /// var fullName: String
  /// ```
  ///
  /// It takes no column, is not part of the schema, and assigning it changes nothing that could be
  /// saved. Each object of each context has its own; it goes when the object is released, which
  /// happens to unchanged objects without references to them.
  ///
  /// A computed value is kept until an attribute or to-one relationship of its object changes or the
  /// object is read again. Nothing is known of other things that it may depend on, such as values of
  /// related objects: call `$fullName.reset()` when they change. A value that is assigned stays just as
  /// long.
  ///
  /// Any type, Sendable or not, as it never leaves the object's context.
  @propertyWrapper
  public struct Virtual<T> {
    private enum Content {
      case kept(T)
      case computed((DatastoreObject) -> T, cached: (value: T, stamp: RowStamp)?)
    }

    // The value itself, not a slot: slots number what rows store.
    private var content: Content

    /// - Parameter wrappedValue: the value that each object starts with in memory.
    public init(wrappedValue: T) {
      content = .kept(wrappedValue)
    }

    /// Starts as nil.
    public init<Wrapped>() where T == Wrapped? {
      content = .kept(nil)
    }

    /// - Parameter compute: makes the value from the object when it is read and not known. Runs on the
    ///   queue or actor of the object's context.
    public init<Object: DatastoreObject>(compute: @escaping (Object) -> T) {
      content = .computed(
        { object in
          guard let object = object as? Object else {
            trap(
              "a virtual attribute of \(Object.self) is declared in another class")
          }
          return compute(object)
        }, cached: nil)
    }

    @available(*, unavailable, message: "@Attribute.Virtual belongs in a DatastoreObject")
    public var wrappedValue: T {
      get { trap("@Attribute.Virtual belongs in a DatastoreObject") }
      // swift-format-ignore: UseSingleLinePropertyGetter
      set { trap("@Attribute.Virtual belongs in a DatastoreObject") }
    }

    @available(*, unavailable, message: "@Attribute.Virtual belongs in a DatastoreObject")
    public var projectedValue: Property {
      trap("@Attribute.Virtual belongs in a DatastoreObject")
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      wrapped _: ReferenceWritableKeyPath<Object, T>,
      storage storage: ReferenceWritableKeyPath<Object, Virtual<T>>
    ) -> T {
      get {
        object.requireMemoryAccess()
        switch object[keyPath: storage].content {
        case .kept(let value): return value
        case .computed(let compute, let cached):
          if let cached, cached.stamp.isCurrent(for: object) { return cached.value }
          let value = compute(object)
          // Computing may have read the row, so the stamp comes after it.
          object[keyPath: storage].content = .computed(
            compute, cached: (value, RowStamp(object)))
          return value
        }
      }
      set {
        object.requireMemoryAccess()
        switch object[keyPath: storage].content {
        case .kept: object[keyPath: storage].content = .kept(newValue)
        case .computed(let compute, _):
          object[keyPath: storage].content = .computed(
            compute, cached: (newValue, RowStamp(object)))
        }
      }
    }

    public static subscript<Object: DatastoreObject>(
      _enclosingInstance object: Object,
      projected _: KeyPath<Object, Property>,
      storage storage: ReferenceWritableKeyPath<Object, Virtual<T>>
    ) -> Property {
      Property {
        object.requireMemoryAccess()
        guard case .computed(let compute, _) = object[keyPath: storage].content else { return }
        object[keyPath: storage].content = .computed(compute, cached: nil)
      }
    }

    /// What `$property` gives. It cannot be queried or sorted by, as the store does not know it.
    public struct Property {
      fileprivate let forget: () -> Void

      /// Lets a computed value be computed again when it is read next; does nothing to others.
      public func reset() { forget() }
    }
  }
}
