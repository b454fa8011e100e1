/// How far a question has come that a store is asked.
///
/// Called on a queue of the store, some ten thousand times a second, with the work that was done so far: a
/// number that grows with the rows in the same way for questions of the same shape. Servers do not say it.
package typealias ReadProgress = @Sendable (_ work: Int) -> Void
