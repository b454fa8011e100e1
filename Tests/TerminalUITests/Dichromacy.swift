import Foundation

@testable import TerminalUI

/// How people without one of the three kinds of cones see colours, after Viénot, Brettel and Mollon
/// (1999): linear RGB through a matrix.
enum Dichromacy: CaseIterable {
  case protanopia
  case deuteranopia

  private var matrix: [[Double]] {
    switch self {
    case .protanopia:
      [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]
    case .deuteranopia:
      [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]
    }
  }

  /// The visible distance of two colours, in CIE 1976 (L*a*b*): about 2 is just noticed.
  func distance(_ first: RGB, _ second: RGB) -> Double {
    let (first, second) = (lab(first), lab(second))
    return sqrt(zip(first, second).map { ($0 - $1) * ($0 - $1) }.reduce(0, +))
  }

  private func lab(_ color: RGB) -> [Double] {
    let linear = [color.red, color.green, color.blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    let seen = matrix.map { row in max(0, zip(row, linear).map(*).reduce(0, +)) }
    // sRGB to XYZ, divided by the white point D65.
    let xyz = [
      (0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505,
      0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2],
      (0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.0890,
    ].map { $0 > 0.008856 ? cbrt($0) : 7.787 * $0 + 16.0 / 116 }
    return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])]
  }
}
