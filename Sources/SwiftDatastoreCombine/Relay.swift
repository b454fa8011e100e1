/// A subscriber's closure on its way into an observer of the main actor.
///
/// Unchecked: subscribing is bound to the main actor (it traps elsewhere), and the observer it is
/// given to runs there too, so the closure never leaves it.
struct Relay<Output>: @unchecked Sendable {
  let receive: (Output) -> Void
}
