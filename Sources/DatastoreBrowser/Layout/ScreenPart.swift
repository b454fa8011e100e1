import TerminalUI

/// The parts of the screen that give way as the terminal gets smaller, in this order; the table is always
/// there.
///
/// A panel without room beside the table is not gone: it has the screen to itself while it has the focus.
enum ScreenPart: CaseIterable {
  /// The details beside the table; on smaller screens they are below it.
  case detailsBeside
  case entities
  case details
  case toolbar
  case footer
  case frames
  case columnNames
  case status

  /// The smallest screen that shows the part.
  var least: Size {
    switch self {
    case .detailsBeside: Size(columns: 150, rows: 1)
    case .entities: Size(columns: 60, rows: 1)
    case .details: Size(columns: 1, rows: 17)
    case .toolbar: Size(columns: 1, rows: 12)
    case .footer: Size(columns: 1, rows: 9)
    case .frames: Size(columns: 24, rows: 8)
    case .columnNames: Size(columns: 1, rows: 4)
    case .status: Size(columns: 1, rows: 2)
    }
  }

  /// The smallest screen that has room to spare for the part and shows it by default.
  private var spare: Size {
    switch self {
    case .entities: Size(columns: 100, rows: 30)
    case .details, .toolbar: Size(columns: 1, rows: 30)
    default: least
    }
  }

  /// Whether a screen shows the part.
  ///
  /// - Parameter choice: the user's choice; nil without one.
  func isShown(on size: Size, _ choice: Bool?) -> Bool {
    fits(size) && (choice ?? (size.columns >= spare.columns && size.rows >= spare.rows))
  }

  /// Whether a screen has room for the part.
  func fits(_ size: Size) -> Bool {
    size.columns >= least.columns && size.rows >= least.rows
  }
}

extension Rectangle {
  /// The screen above the status line and the footer, if it has them.
  static func aboveStatus(_ size: Size) -> Rectangle {
    let status = ScreenPart.status.fits(size) ? 1 : 0
    return aboveFooter(size).split(bottom: status).rest
  }

  /// The screen above the footer, if it has one.
  static func aboveFooter(_ size: Size) -> Rectangle {
    Rectangle(size).split(bottom: ScreenPart.footer.fits(size) ? 1 : 0).rest
  }
}

extension Size {
  /// A box in the middle of the screen, at most this large. A margin is left if there is room for one.
  func box(columns: Int, rows: Int) -> Rectangle {
    let margin = Size(columns: self.columns < 48 ? 0 : 4, rows: self.rows < 16 ? 0 : 4)
    return Rectangle(self).centred(
      Size(
        columns: min(columns, self.columns - margin.columns),
        rows: min(rows, self.rows - margin.rows)))
  }
}
