extension DatePart {
  /// What its values are called, where they are numbers that stand for something.
  var cases: [EnumCase]? {
    guard self == .weekday else { return nil }
    return zip(
      1..., ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    ).map { EnumCase(name: $1, value: .integer(Int64($0))) }
  }
}
