/// The keys held down with another one.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Control.
  package static let control = KeyModifiers(rawValue: 1)
  /// Alt, which terminals also call Meta.
  package static let alt = KeyModifiers(rawValue: 2)
  /// Shift, for keys that print nothing; a shifted letter is simply another letter.
  package static let shift = KeyModifiers(rawValue: 4)
}
