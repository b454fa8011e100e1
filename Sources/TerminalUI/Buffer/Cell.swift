/// One cell of the screen.
///
/// A plain value of 24 bytes without references, so that a screen of thousands of cells is made, copied
/// and compared at the speed of memory.
package struct Cell: Hashable, Sendable {
  /// The scalars of the text, 21 bits each, followed by zeros: the base and two marks in the first number,
  /// two more marks in the second. No text contains the scalar zero.
  private var front: UInt64
  private var back: UInt64
  /// The meaning of the cell.
  package var role: StyleRole
  /// A second role that gives the cell its background and emphasis, such as the selection under a row of
  /// differently coloured values.
  package var backdrop: StyleRole?
  private var columns: UInt8

  private static let bits: UInt64 = 21
  private static let mask: UInt64 = 1 << bits - 1
  /// A base and four marks, the most that a `Glyph` has.
  private static let mostScalars: UInt64 = 5

  /// The cells that the text takes: 1 or 2, and 0 for the right half of a wide character.
  package var width: Int {
    get { Int(columns) }
    set { columns = UInt8(newValue) }
  }

  /// One base character with its combining marks; empty for the right half of a wide character.
  package var text: String {
    get {
      if let ascii { return String(UnicodeScalar(ascii)) }
      var text = ""
      forEachScalar { text.unicodeScalars.append($0) }
      return text
    }
    set {
      (front, back) = (0, 0)
      var place: UInt64 = 0
      for scalar in newValue.unicodeScalars {
        if place == Self.mostScalars { break }
        let value = UInt64(scalar.value)
        if place < 3 {
          front |= value << (Self.bits * place)
        } else {
          back |= value << (Self.bits * (place - 3))
        }
        place += 1
      }
    }
  }

  /// An empty cell.
  package static let blank = Cell(ascii: 0x20, role: .text)

  /// Whether this is the right half of a wide character.
  package var isContinuation: Bool { columns == 0 }

  /// Whether only the background of the cell is visible.
  var isBlank: Bool { front == 0x20 && back == 0 }

  /// The text as an ASCII character; nil for any other text.
  var ascii: UInt8? { front < 0x80 && back == 0 && front != 0 ? UInt8(front) : nil }

  /// Whether the text is one scalar.
  var isSingleScalar: Bool { front != 0 && front <= Self.mask }

  /// The first scalar of the text; nil for the right half of a wide character.
  var base: Unicode.Scalar? {
    front == 0 ? nil : Unicode.Scalar(UInt32(truncatingIfNeeded: front & Self.mask))
  }

  /// Whether two cells have the same text, whatever their styles.
  func hasSameText(as other: Cell) -> Bool {
    front == other.front && back == other.back && columns == other.columns
  }

  private func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
    for var rest in [front, back] {
      while rest != 0 {
        if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: rest & Self.mask)) {
          body(scalar)
        }
        rest >>= Self.bits
      }
    }
  }

  package init(text: String, width: Int, role: StyleRole, backdrop: StyleRole? = nil) {
    (front, back) = (0, 0)
    self.role = role
    self.backdrop = backdrop
    columns = UInt8(width)
    self.text = text
  }

  /// A cell with a visible ASCII character.
  init(ascii: UInt8, role: StyleRole) {
    self.init(scalar: Unicode.Scalar(ascii), role: role)
  }

  /// A cell with a visible character of one scalar, one cell wide.
  init(scalar: Unicode.Scalar, role: StyleRole) {
    (front, back) = (UInt64(scalar.value), 0)
    self.role = role
    backdrop = nil
    columns = 1
  }
}
