public import SwiftDatastore

/// What code is given that works in whatever transaction: a context.
public typealias BaseDataTransaction = any ObjectContext
/// What the closure of `perform(asynchronous:…)` is given.
public typealias AsynchronousDataTransaction = SwiftDatastoreContext.Closure
/// What the closure of `perform(synchronous:…)` is given.
public typealias SynchronousDataTransaction = SwiftDatastoreContext.Closure
