/// The reason why a character must not reach a terminal, or a person, unchanged.
///
/// This is the only list of harmful characters: the screen, tables, messages, errors and the log draw a mark
/// in place of each, and JSON and SQL escape those that a terminal obeys. The list does not depend on the
/// locale, like everything about text here.
///
/// The list leaves out U+200C and U+200D, which join emoji and which many scripts spell with, and variation
/// selectors: no terminal obeys them, and text is not the same without them.
package enum HarmfulCharacter: Hashable, Sendable {
  /// C0, DEL and C1: characters that a terminal obeys.
  case control
  /// Turns the direction of text or ends a line, so that a reader sees something else than the text says.
  case direction
  /// Has no shape, so that different texts look alike: format characters, tags, fillers.
  case invisible
  /// Has no meaning yet; terminals differ in what they draw.
  case unassigned

  /// nil for a harmless character. Constant time.
  package init?(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20...0x7E: return nil
    case 0...0x1F, 0x7F...0x9F: self = .control
    case 0xAD: self = .invisible
    case 0xA0...0x2FF: return nil
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: self = .direction
    case 0x200C, 0x200D: return nil
    // Unicode counts the Hangul fillers as letters.
    case 0x115F, 0x1160, 0x3164, 0xFFA0: self = .invisible
    // Scalars that stand for bytes of a file that are not UTF-8 (`String.init(stored:)`).
    case 0x10FE80...0x10FEFF: self = .unassigned
    // Arabic and Syriac number signs are format characters with a shape.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return nil
    default:
      switch scalar.properties.generalCategory {
      case .format, .control, .lineSeparator, .paragraphSeparator: self = .invisible
      case .unassigned, .surrogate: self = .unassigned
      default: return nil
      }
    }
  }

  /// The mark to show in place of a character: the picture of a control, else `·` or `�`.
  package func mark(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch self {
    case .control where scalar.value < 0x20: Self.controlPictures[Int(scalar.value)]
    case .control: scalar.value == 0x7F ? "\u{2421}" : "\u{FFFD}"
    case .direction, .invisible: "·"
    case .unassigned: "\u{FFFD}"
    }
  }

  /// U+2400 to U+241F: the pictures of the controls U+0000 to U+001F.
  private static let controlPictures = (0..<32).compactMap { Unicode.Scalar(0x2400 + $0) }
}
