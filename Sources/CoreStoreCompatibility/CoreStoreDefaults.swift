import DatastoreCore
public import SwiftDatastore

/// What a program uses where it names nothing else.
public enum CoreStoreDefaults {
  private static let stack = Lock<DataStack?>(nil)
  private static let currentLogger = Lock<(any DatastoreLogger)?>(nil)

  /// The stack of a program that has one. Any thread.
  ///
  /// Traps when it is read before it was set: there is no model in the bundle of a program that it could be
  /// made of.
  public static var dataStack: DataStack {
    get {
      guard let stack = stack.withLock({ $0 }) else {
        abort(
          "CoreStoreDefaults.dataStack was read before it was set; set it when the program starts: "
            + "CoreStoreDefaults.dataStack = DataStack(CoreStoreSchema(…))")
      }
      return stack
    }
    set { stack.withLock { $0 = newValue } }
  }

  /// Receives the events of the datastores of stacks to which a storage is added from now on. Any thread.
  public static var logger: (any DatastoreLogger)? {
    get { currentLogger.withLock { $0 } }
    set { currentLogger.withLock { $0 = newValue } }
  }
}
