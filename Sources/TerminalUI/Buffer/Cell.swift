/// One cell of the screen.
package struct Cell: Hashable, Sendable {
  /// One base character with its combining marks; empty for the right half of a wide one.
  package var text: String
  /// Cells that the text takes: 1 or 2, and 0 for the right half of a wide one.
  package var width: Int
  /// What the cell means.
  package var role: StyleRole
  /// A second role whose background and emphasis lie under the first, such as the selection
  /// under a row of differently coloured values.
  package var backdrop: StyleRole?

  /// An empty cell.
  package static let blank = Cell(text: " ", width: 1, role: .text, backdrop: nil)

  /// Whether this is the right half of a wide character.
  package var isContinuation: Bool { width == 0 }

  package init(text: String, width: Int, role: StyleRole, backdrop: StyleRole? = nil) {
    self.text = text
    self.width = width
    self.role = role
    self.backdrop = backdrop
  }
}
