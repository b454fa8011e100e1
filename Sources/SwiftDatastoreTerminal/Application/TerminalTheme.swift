import TerminalUI

/// The colours of a terminal application: a base16 or base24 scheme.
///
/// If a text of the scheme has too little contrast, its colour is moved towards the scheme's own text colour
/// until the contrast is 3:1. Terminals with few colours or none use bold, dim, underlined and reversed text
/// instead.
public struct TerminalTheme: Sendable, Hashable {
  let theme: Theme

  private init(_ theme: Theme) { self.theme = theme }

  /// The name of the scheme, such as `Datastore Paper`.
  public var name: String { theme.name }

  /// Creates a theme that ships with the library; nil if no theme has this name.
  ///
  /// - Parameter name: one of ``names``; `paper` is short for `datastore-paper`.
  public init?(named name: String) {
    let found = Theme.shipped.first { $0.key == name || $0.key == "datastore-\(name)" }
    guard let found else { return nil }
    theme = found.value
  }

  /// Reads a theme from a scheme file of the tinted-theming project (YAML).
  ///
  /// - Parameter path: the file.
  /// - Throws: an error whose description names the file, the key and the reason.
  public init(contentsOfFile path: String) throws {
    theme = try Theme(contentsOfFile: path)
  }

  /// The names of the themes that ship with the library.
  public static var names: [String] { Theme.shipped.map(\.key) }

  /// The default theme: `datastore-dark`.
  public static let standard = TerminalTheme(.fallback)
}
