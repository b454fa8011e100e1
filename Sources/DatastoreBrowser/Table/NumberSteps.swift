import Basics
import DatastoreCore
import Foundation

/// Numbers grouped in round steps: a section for the numbers from 3000 to less than 4000. The group key is a
/// calculation like any other; this type knows how it is written and how its sections are named.
struct NumberSteps: Hashable, Sendable {
  /// The expression whose numbers are grouped.
  let subject: String
  let step: Double

  init(of operand: DatastoreCore.Predicate.Operand, step: Double) {
    subject = operand.description
    self.step = step
  }

  /// Recognizes the steps in a group key; nil for other paths.
  init?(_ path: [String]) {
    guard let text = Calculation.text(of: path), text.hasPrefix("floor("),
      let place = text.range(of: " / ", options: .backwards),
      let end = text[place.upperBound...].firstPlace(of: ")"),
      let step = Double(text[place.upperBound..<end]),
      text[end...].dropFirst() == " * \(Self.written(step))"
    else { return nil }
    subject = String(text[text.index(text.startIndex, offsetBy: 6)..<place.lowerBound])
    self.step = step
  }

  /// The step as a literal; whole steps make whole numbers.
  private static func written(_ step: Double) -> String {
    Int(exactly: step).map(String.init) ?? String(step)
  }

  /// The calculation of the least number of a section.
  static func operand(of operand: DatastoreCore.Predicate.Operand, step: Double)
    -> DatastoreCore.Predicate.Operand
  {
    let quotient = DatastoreCore.Predicate.Operand.arithmetic(operand, .divide, .value(.real(step)))
    let unit: Value = Int64(exactly: step).map { .integer($0) } ?? .real(step)
    return .arithmetic(.function(.floor, [quotient]), .multiply, .value(unit))
  }

  /// The steps in words.
  var title: String { "\(subject) in steps of \(ValueFormat.rounded(step))" }

  /// The name of the section with this least number.
  func range(from least: Value) -> String? {
    least.number.map {
      "\(ValueFormat.rounded($0)) to less than \(ValueFormat.rounded($0 + step))"
    }
  }

  /// Round steps for numbers up to `greatest`: one, two or five times a power of ten.
  static func steps(for greatest: Double) -> [Double] {
    guard greatest.isFinite, greatest > 0 else { return [0.1, 1, 10, 100] }
    var power = 1.0
    while power * 10 <= greatest { power *= 10 }
    while power > greatest { power /= 10 }
    return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].map { share in
      // Tenths and hundredths of a power of ten are computed by a division, which is exact if it can be.
      (power * (share * 100).rounded()) / 100
    }
  }
}
