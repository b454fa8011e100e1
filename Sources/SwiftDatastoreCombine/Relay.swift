/// Passes a subscriber's closure to an observer on the main actor.
///
/// Unchecked: subscribing is bound to the main actor (it traps elsewhere), and the observer runs there too,
/// so the closure never leaves it.
package struct Relay<Output>: @unchecked Sendable {
  package let receive: (Output) -> Void

  package init(receive: @escaping (Output) -> Void) { self.receive = receive }
}
