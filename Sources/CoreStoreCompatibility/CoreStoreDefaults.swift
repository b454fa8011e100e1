import DatastoreCore
public import SwiftDatastore

/// The defaults that a program uses unless it names others.
public enum CoreStoreDefaults {
  private static let stack = Lock<DataStack?>(nil)
  private static let currentLogger = Lock<(any DatastoreLogger)?>(nil)

  /// The stack of a program that has one. Usable from any thread.
  ///
  /// Traps when it is read before it was set: the bundle of a program contains no model from which it could
  /// be created.
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

  /// Receives the events of the datastores of stacks to which a storage is added from now on. Usable from any
  /// thread.
  public static var logger: (any DatastoreLogger)? {
    get { currentLogger.withLock { $0 } }
    set { currentLogger.withLock { $0 = newValue } }
  }
}
