import Foundation

/// Values that a program keeps with a context or a list, by keys of its own. Any thread.
///
/// ```swift
/// context.userInfo["import"] = job
/// ```
///
/// Unchecked: a lock protects the dictionary; the values are the program's, and as safe as the program uses
/// them.
public final class UserInfo: @unchecked Sendable {
  // Recursive, because the closure that makes a value may ask for another one.
  private let lock = NSRecursiveLock()
  private var values: [AnyHashable: Any] = [:]

  package init() {}

  /// The value under a text; nil removes it.
  public subscript(key: String) -> Any? {
    get { lock.withLock { values[key] } }
    set { lock.withLock { values[key] = newValue } }
  }

  /// The value under the address of a static variable; nil removes it.
  public subscript(key: UnsafeRawPointer) -> Any? {
    get { lock.withLock { values[key] } }
    set { lock.withLock { values[key] = newValue } }
  }

  /// The value under the address of a static variable, created on first use. Other threads wait meanwhile.
  public subscript(key: UnsafeRawPointer, lazyInit make: () -> Any) -> Any {
    lock.withLock {
      if let value = values[key] { return value }
      let value = make()
      values[key] = value
      return value
    }
  }
}
