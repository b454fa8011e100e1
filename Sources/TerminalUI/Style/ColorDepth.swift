/// The number of colours of a terminal.
package enum ColorDepth: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// None: styles differ by bold, underline and reverse only.
  case none
  case colors8
  case colors16
  case indexed256
  /// 24 bits.
  case direct

  package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Detects the depth from the environment and from terminfo.
  ///
  /// `NO_COLOR` (set and not empty) and terminals without colour give `none`. `terminfoColors`
  /// is the number of colours, negative or zero for none; `isDirect` says that colour numbers
  /// are RGB values.
  package static func detect(
    environment: [String: String], terminfoColors: Int, isDirect: Bool
  ) -> ColorDepth {
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .none }
    if ["", "dumb", "unknown", "vt52", "vt100", "vt102", "vt220"].contains(
      environment["TERM"] ?? "")
    {
      return .none
    }
    switch terminfoColors {
    case ..<8: return .none
    case 8..<16: return .colors8
    case 16..<256: return .colors16
    default: return isDirect ? .direct : .indexed256
    }
  }

  /// The number of the terminal colour at this depth that is closest to `color`; nil for the terminal's own
  /// foreground or background.
  ///
  /// With 8 or 16 colours the numbers are those of ANSI, whose shades belong to the user:
  /// saturated colours map by hue, and shades of grey to the terminal's own text colour or, with
  /// 16, to bright black when they are dim. With 256 only the fixed numbers 16 to 255 are used.
  package func index(of color: RGB) -> Int? {
    switch self {
    case .none: nil
    case .colors8: Self.hueIndex(of: color)
    case .colors16: Self.hueIndex(of: color) ?? (Self.isMiddleGrey(color) ? 8 : nil)
    case .indexed256: Self.cubeIndex(of: color)
    // Direct terminals keep 0 to 7 for the ANSI colours; the next shade looks the same.
    case .direct: Int(color.value) < 8 ? 8 : Int(color.value)
    }
  }

  /// The number of a text colour on the terminal's own background: cyan for blue on a dark one, since ANSI
  /// blue is hardly legible on black.
  func legibleIndex(of color: RGB, isOnDark: Bool) -> Int? {
    let index = index(of: color)
    return index == Self.blue && isOnDark && self <= .colors16 ? Self.cyan : index
  }

  private static let (blue, cyan) = (4, 6)

  /// The ANSI number, 1 to 6, of the hue; nil for greys.
  private static func hueIndex(of color: RGB) -> Int? {
    let red = Double(color.red)
    let green = Double(color.green)
    let blue = Double(color.blue)
    let high = max(red, green, blue)
    let spread = high - min(red, green, blue)
    guard high > 0, spread / high > 0.2, spread > 24 else { return nil }
    var hue: Double
    if high == red {
      hue = 60 * (green - blue) / spread
    } else if high == green {
      hue = 120 + 60 * (blue - red) / spread
    } else {
      hue = 240 + 60 * (red - green) / spread
    }
    if hue < 0 { hue += 360 }
    switch hue {
    case 20..<72: return 3
    case 72..<165: return 2
    case 165..<200: return 6
    case 200..<255: return 4
    case 255..<335: return 5
    default: return 1
    }
  }

  private static func isMiddleGrey(_ color: RGB) -> Bool {
    (0.07...0.35).contains(color.luminance)
  }

  private static func cubeIndex(of color: RGB) -> Int {
    let steps: [Int] = [0, 95, 135, 175, 215, 255]
    func nearest(_ part: UInt8) -> Int {
      steps.indices.min { abs(steps[$0] - Int(part)) < abs(steps[$1] - Int(part)) } ?? 0
    }
    let red = nearest(color.red)
    let green = nearest(color.green)
    let blue = nearest(color.blue)
    let cube = RGB(
      red: UInt8(steps[red]), green: UInt8(steps[green]), blue: UInt8(steps[blue]))
    let average = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
    let greyStep = min(23, max(0, (average - 3) / 10))
    let level = UInt8(8 + 10 * greyStep)
    let grey = RGB(red: level, green: level, blue: level)
    return grey.distance(to: color) < cube.distance(to: color)
      ? 232 + greyStep : 16 + 36 * red + 6 * green + blue
  }
}
