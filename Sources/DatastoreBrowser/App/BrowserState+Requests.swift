/// Asking for what is slow, where the need arises.
extension BrowserState {
  /// Asks for something that is slow or reaches outside; it is done when the event has been applied,
  /// after what was requested before.
  mutating func request(_ effect: Effect) { requests.append(effect) }

  /// Takes what was requested so far. The caller starts it.
  mutating func takeRequests() -> [Effect] {
    defer { requests = [] }
    return requests
  }
}
