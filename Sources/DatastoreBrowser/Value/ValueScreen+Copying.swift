extension ValueScreen: CopyableOverlay {
  var copyableCell: CopyRequest { .value(object, slot: slot) }
}
