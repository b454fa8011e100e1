import TerminalUI

/// The colours of a terminal application: a base16 or base24 scheme.
///
/// Where a scheme leaves a text hard to read, it is moved towards the scheme's own text colour until the
/// contrast is 3:1. Terminals with few colours or none show the same by bold, dim, underlined and reversed
/// text.
public struct TerminalTheme: Sendable, Hashable {
  let theme: Theme

  private init(_ theme: Theme) { self.theme = theme }

  /// The scheme's own name, such as `Datastore Paper`.
  public var name: String { theme.name }

  /// A theme that comes with the library; nil when there is none of that name.
  ///
  /// - Parameter name: one of ``names``; `paper` means `datastore-paper`, too.
  public init?(named name: String) {
    let found = Theme.shipped.first { $0.key == name || $0.key == "datastore-\(name)" }
    guard let found else { return nil }
    theme = found.value
  }

  /// A theme of a scheme file of the tinted-theming project (YAML).
  ///
  /// - Parameter path: the file.
  /// - Throws: an error whose description names the file, the key and the reason.
  public init(contentsOfFile path: String) throws {
    theme = try Theme(contentsOfFile: path)
  }

  /// The names of the themes that come with the library.
  public static var names: [String] { Theme.shipped.map(\.key) }

  /// The theme of an application that chooses none: `datastore-dark`.
  public static let standard = TerminalTheme(.fallback)
}
