import Foundation

extension AttributeType {
  /// A readable form of a stored value, as in conditions: a date, a truth value or a UUID; nil if the value
  /// is readable itself.
  package func readableText(of value: Value) -> String? {
    switch (value, self) {
    case (.real(let seconds), .date): ISODate.format(seconds).map { "\"\($0)\"" }
    case (.real(let real), .float) where real.isFinite: digits(of: real)
    case (.integer(0), .boolean): "FALSE"
    case (.integer(1), .boolean): "TRUE"
    case (.blob(let data), .uuid): UUID(bytes: data).map { "\"\($0.uuidString)\"" }
    default: nil
    }
  }

  /// The shortest digits that read back as the same number in a column of the type.
  package func digits(of real: Double) -> String {
    self == .float && Double(Float(real)) == real ? Float(real).description : real.description
  }
}
