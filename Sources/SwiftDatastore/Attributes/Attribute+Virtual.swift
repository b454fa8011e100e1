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
  /// It has no column, is not part of the schema, and assigning it stages no change. Each object in each
  /// context has its own value, which is lost when the object is released; that happens to unchanged objects
  /// that nothing refers to.
  ///
  /// A computed value is cached until an attribute or to-one relationship of its object changes or the object
  /// is read again. Other dependencies, such as values of related objects, are not tracked: call
  /// `$fullName.reset()` when they change. An assigned value is kept just as long.
  ///
  /// Its type may be Sendable or not, because the value never leaves the object's context.
  @propertyWrapper
  public struct Virtual<T> {
    private enum Content {
      case kept(T)
      case computed((DatastoreObject) -> T, cached: (value: T, stamp: RowStamp)?)
    }

    // The value itself, not a slot: slots number the properties that rows store.
    private var content: Content

    /// - Parameter wrappedValue: the initial value of each object in memory.
    public init(wrappedValue: T) {
      content = .kept(wrappedValue)
    }

    /// Starts as nil.
    public init<Wrapped>() where T == Wrapped? {
      content = .kept(nil)
    }

    /// - Parameter compute: makes the value from the object when it is read and not cached. Runs on the queue
    ///   or actor of the object's context.
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
          // Computing may have read the row, so take the stamp afterwards.
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

    /// The projected value `$property`. Queries and sort orders cannot use it, because the store does not
    /// know it.
    public struct Property {
      fileprivate let forget: () -> Void

      /// Discards a cached value, so that the next read computes it again; does nothing for other values.
      public func reset() { forget() }
    }
  }
}
