import DatastoreCore

extension ValueScreen: CopyableOverlay {
  var copyableCell: CopyRequest {
    switch subject {
    case .property(let object, let slot): .value(object, slot: slot)
    case .value(let value): .plain(value)
    }
  }
}
