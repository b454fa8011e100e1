import Basics
package import Foundation

/// A value that one thread at a time uses: like `Synchronization.Mutex`, on a POSIX mutex.
///
/// The thread sanitizer knows that mutex. It does not see the standard library's, and would report every use
/// as a race.
///
/// Unchecked: the value is touched only while the mutex is held. It need not be Sendable; no reference into
/// it may leave `withLock`.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @exclusivity(unchecked) @usableFromInline var value: Value

  package init(_ value: consuming sending Value) {
    mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    self.value = value
    let code = pthread_mutex_init(mutex, nil)
    require(code == 0, "the system has no memory for a mutex")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` while no other thread does. Waits; must not be called again from inside.
  @inlinable
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` if no other thread holds the lock; otherwise returns nil. Does not wait.
  @inlinable
  package func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
