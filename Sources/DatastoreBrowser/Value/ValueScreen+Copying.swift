import DatastoreCore

extension ValueScreen: CopyableOverlay {
  func copyableCell(in state: BrowserState) -> CopyRequest? {
    switch subject {
    case .property(let object, let slot): .value(object, slot: slot)
    case .value(let value): .plain(value)
    }
  }
}
