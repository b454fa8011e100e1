import TerminalUI

/// The stack of overlays.
extension BrowserState {
  /// Opens an overlay over everything else; it receives the keys.
  mutating func open(_ overlay: some Overlay) {
    assert(
      keymap.commands.scopes.contains(overlay.scope),
      "no command is listed for \(overlay.scope.name)")
    overlays.append(overlay)
  }

  /// Closes the topmost overlay.
  mutating func closeOverlay() {
    _ = overlays.popLast()
    lowestClosed = min(lowestClosed, overlays.count)
  }

  /// The topmost overlay if it is of this kind.
  func overlay<Kind: Overlay>(as kind: Kind.Type) -> Kind? {
    overlays.last as? Kind
  }

  /// Changes the topmost overlay of a kind, wherever it is in the stack. Has no effect without one.
  mutating func changeOverlay<Kind: Overlay>(as kind: Kind.Type, _ change: (inout Kind) -> Void) {
    guard let index = overlays.lastIndex(where: { $0 is Kind }),
      var overlay = overlays[index] as? Kind
    else { return }
    change(&overlay)
    overlays[index] = overlay
  }

  /// Passes the topmost overlay to the closure if it is of this kind. The overlay may close itself or open
  /// another one.
  mutating func change<Kind: Overlay>(
    _ kind: Kind.Type, _ handle: (inout Kind, inout BrowserState) -> Void
  ) {
    handleInOverlay { overlay, state in
      guard var own = overlay as? Kind else { return }
      defer { overlay = own }
      handle(&own, &state)
    }
  }

  /// Passes the topmost overlay to the closure. The overlay may close itself or open another one over it.
  mutating func handleInOverlay(
    _ handle: (inout any Overlay, inout BrowserState) -> Void
  ) {
    guard var overlay = overlays.last else { return }
    let place = overlays.count - 1
    let outer = lowestClosed
    lowestClosed = .max
    handle(&overlay, &self)
    // An overlay that has closed itself must not return, even if another one now has its place.
    if lowestClosed > place { overlays[place] = overlay }
    lowestClosed = min(outer, lowestClosed)
  }
}
