/// The styles of cells in one theme: each pair of roles is resolved once.
///
/// A plain value, which a drawing takes out of its owner and puts back, because it is asked twice for every
/// cell.
struct StyleTable {
  private static let roleCount = StyleRole.allCases.count

  private let theme: Theme
  private let colorDepth: ColorDepth
  /// The resolved styles, by role and backdrop.
  private var styles: [CellStyle?]

  init(_ theme: Theme, colorDepth: ColorDepth) {
    self.theme = theme
    self.colorDepth = colorDepth
    styles = Array(repeating: nil, count: Self.roleCount * (Self.roleCount + 1))
  }

  /// The style of a cell. O(1).
  mutating func style(of cell: Cell) -> CellStyle {
    let backdrop = cell.backdrop.map { Int($0.rawValue) + 1 } ?? 0
    let place = Int(cell.role.rawValue) + Self.roleCount * backdrop
    if let known = styles[place] { return known }
    let style = theme.style(of: cell.role, backdrop: cell.backdrop, depth: colorDepth)
    styles[place] = style
    return style
  }
}
