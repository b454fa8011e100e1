/// Requests for slow work.
extension BrowserState {
  /// Requests slow or external work. It starts after the event has been applied, in the order of the
  /// requests.
  mutating func request(_ effect: Effect) { requests.append(effect) }

  /// Removes and returns the requests so far. The caller starts them.
  mutating func takeRequests() -> [Effect] {
    defer { requests = [] }
    return requests
  }
}
