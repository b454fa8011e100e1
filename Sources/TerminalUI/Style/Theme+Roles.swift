/// The colours of a role in a scheme, and its style on terminals with few colours.
struct RoleRecipe {
  /// Slot of the text colour in base16.
  var foreground: Int
  /// Slot of the background in base16.
  var background = 0x00
  /// Slot of the text colour in base24, if that has a better one.
  var brightForeground: Int?
  /// Emphasis with 256 colours or more.
  var attributes: TextAttributes = []
  /// Slot of the text colour with 16 colours or fewer. The background is then the terminal's own, and only
  /// reversing the colours can show another one.
  var plainForeground: Int?
  /// Emphasis with 16 colours or fewer, which makes the role visible without colour.
  var plainAttributes: TextAttributes = []
}

extension StyleRole {
  /// The role's recipe: the whole mapping from roles to base16 slots, in one place.
  var recipe: RoleRecipe {
    switch self {
    case .text: RoleRecipe(foreground: 0x05)
    case .dim: RoleRecipe(foreground: 0x04, plainAttributes: .dim)
    case .heading: RoleRecipe(foreground: 0x0D, attributes: .bold, plainAttributes: .bold)
    case .columnHeader:
      RoleRecipe(
        foreground: 0x06, background: 0x01, attributes: .bold,
        plainAttributes: [.bold, .underline])
    case .sectionHeader: RoleRecipe(foreground: 0x0E, attributes: .bold, plainAttributes: .bold)
    case .selection:
      RoleRecipe(
        foreground: 0x06, background: 0x02, attributes: .bold, plainAttributes: .reverse)
    case .selectionInactive:
      RoleRecipe(foreground: 0x05, background: 0x01, plainAttributes: .underline)
    case .cellCursor:
      // With few colours the cell is a gap in the reversed row.
      RoleRecipe(
        foreground: 0x00, background: 0x05, attributes: .bold,
        plainAttributes: [.bold, .underline])
    case .border: RoleRecipe(foreground: 0x03, plainAttributes: .dim)
    case .focusedBorder: RoleRecipe(foreground: 0x0D, attributes: .bold, plainAttributes: .bold)
    case .title: RoleRecipe(foreground: 0x06, attributes: .bold, plainAttributes: .bold)
    case .statusBar: RoleRecipe(foreground: 0x04, background: 0x01, plainAttributes: .reverse)
    case .key:
      RoleRecipe(
        foreground: 0x0A, background: 0x01, attributes: .bold,
        plainAttributes: [.bold, .reverse])
    case .keyLabel: RoleRecipe(foreground: 0x05, background: 0x01)
    case .null: RoleRecipe(foreground: 0x03, plainAttributes: .dim)
    case .number, .boolean: RoleRecipe(foreground: 0x09)
    case .string: RoleRecipe(foreground: 0x05)
    case .date: RoleRecipe(foreground: 0x0C)
    case .blob: RoleRecipe(foreground: 0x0F, plainAttributes: .dim)
    case .relationship:
      // Its own colour marks it; underlining would add bytes to every row.
      RoleRecipe(foreground: 0x0D, plainAttributes: .underline)
    case .changed:
      RoleRecipe(
        foreground: 0x0A, brightForeground: 0x13, attributes: .bold, plainAttributes: .bold)
    case .inserted:
      RoleRecipe(
        foreground: 0x0B, brightForeground: 0x14, attributes: .bold, plainAttributes: .bold)
    case .deleted:
      RoleRecipe(foreground: 0x08, attributes: .underline, plainAttributes: [.dim, .underline])
    case .warning: RoleRecipe(foreground: 0x09, attributes: .bold, plainAttributes: .bold)
    case .error:
      RoleRecipe(
        foreground: 0x08, brightForeground: 0x12, attributes: .bold,
        plainAttributes: [.bold, .reverse])
    case .success: RoleRecipe(foreground: 0x0B, plainAttributes: .bold)
    case .input: RoleRecipe(foreground: 0x06, background: 0x01, plainAttributes: .underline)
    case .placeholder:
      RoleRecipe(foreground: 0x03, background: 0x01, plainAttributes: [.dim, .underline])
    case .match:
      RoleRecipe(
        foreground: 0x00, background: 0x0A, attributes: .bold, plainForeground: 0x0A,
        plainAttributes: [.bold, .reverse, .underline])
    case .progress: RoleRecipe(foreground: 0x0D, plainAttributes: .bold)
    case .scrollThumb: RoleRecipe(foreground: 0x04, plainAttributes: .bold)
    }
  }

  /// Whether text on this role as a backdrop has the colour of the role: no other colour is sure to be
  /// legible there.
  fileprivate var colorsText: Bool { self == .match || self == .cellCursor }

  /// Whether the role keeps its own background on every backdrop: search matches must stay visible.
  fileprivate var keepsBackground: Bool { self == .match }
}

extension Theme {
  /// The colours and emphasis of a role, on the background of a backdrop if there is one. Text always has a
  /// contrast of at least 4.5:1 with its background, if any colour of the scheme has.
  package func style(of role: StyleRole, backdrop: StyleRole? = nil) -> Style {
    let recipe = role.recipe
    let under = backdrop?.recipe
    let background = self.background(of: role.keepsBackground ? role : backdrop ?? role)
    var foreground = palette[recipe.foreground]
    if palette.count == 24, let bright = recipe.brightForeground { foreground = palette[bright] }
    if let under, backdrop?.colorsText ?? false { foreground = palette[under.foreground] }
    return Style(
      foreground: legible(foreground, on: background), background: background,
      attributes: recipe.attributes.union(under?.attributes ?? []))
  }

  /// The style of a role on a terminal of the given depth. With 16 colours or fewer the backgrounds are the
  /// terminal's own and emphasis carries the meaning, since the shades of the few colours are the user's
  /// choice.
  package func style(
    of role: StyleRole, backdrop: StyleRole? = nil, depth: ColorDepth
  ) -> CellStyle {
    let style = style(of: role, backdrop: backdrop)
    guard depth >= .indexed256 else {
      let plain = role.recipe.plainAttributes.union(backdrop?.recipe.plainAttributes ?? [])
      let slot = role.recipe.plainForeground ?? role.recipe.foreground
      let base = Style(foreground: palette[slot], background: palette[0], attributes: plain)
      return CellStyle(
        foreground: depth.legibleIndex(of: base.foreground, isOnDark: isDark), background: nil,
        attributes: plain)
    }
    return CellStyle(
      foreground: depth.index(of: style.foreground), background: depth.index(of: style.background),
      attributes: style.attributes)
  }

  private func background(of role: StyleRole) -> RGB {
    let slot = role.recipe.background
    // Some schemes have a selection that hardly differs from the background.
    if role == .selection, palette[slot].contrast(with: palette[0]) < 1.25 {
      return palette[0].mixed(with: palette[5], 0.25)
    }
    return palette[slot]
  }

  /// The colour, moved towards the most legible shade of the scheme as far as necessary.
  private func legible(_ color: RGB, on background: RGB) -> RGB {
    guard color.contrast(with: background) < Self.leastContrast else { return color }
    let shades = [palette[5], palette[6], palette[7], palette[0]]
    let target = shades.max { $0.contrast(with: background) < $1.contrast(with: background) }
    guard let target else { return color }
    for step in 1...10 {
      let mixed = color.mixed(with: target, Double(step) / 10)
      if mixed.contrast(with: background) >= Self.leastContrast { return mixed }
    }
    return target
  }
}
