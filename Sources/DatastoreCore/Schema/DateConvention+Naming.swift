/// The names of conventions, for people and in files.
extension DateConvention {
  /// A short description for people.
  package var title: String {
    switch self {
    case .text(let style): "text such as \(style.example)"
    case .unixSeconds: "Unix seconds"
    case .unixMilliseconds: "Unix milliseconds"
    case .unixMicroseconds: "Unix microseconds"
    case .unixNanoseconds: "Unix nanoseconds"
    case .webKit: "microseconds since 1601 (WebKit)"
    case .fileTime: "100 nanoseconds since 1601 (FILETIME)"
    case .appleSeconds: "seconds since 2001 (Apple)"
    case .appleNanoseconds: "nanoseconds since 2001 (Apple)"
    case .julianDay: "Julian days"
    case .own: "seconds since 2001"
    }
  }

  /// The name in programs and native files; decodes to the same convention.
  package var name: String {
    switch self {
    case .text(let style): style.example
    case .unixSeconds: "unix-seconds"
    case .unixMilliseconds: "unix-milliseconds"
    case .unixMicroseconds: "unix-microseconds"
    case .unixNanoseconds: "unix-nanoseconds"
    case .webKit: "webkit"
    case .fileTime: "filetime"
    case .appleSeconds: "apple-seconds"
    case .appleNanoseconds: "apple-nanoseconds"
    case .julianDay: "julian-day"
    case .own: "seconds-since-2001"
    }
  }

  package init?(name: String) {
    if let found = (Self.numeric + [.own]).first(where: { $0.name == name }) {
      self = found
    } else if let style = DateTextStyle(name) {
      self = .text(style)
    } else {
      return nil
    }
  }
}

/// Encoded as its name.
extension DateConvention: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let convention = Self(name: try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "Expected the name of a date convention.")
    }
    self = convention
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension AttributeDescription {
  /// How its values store dates; nil if they are not dates.
  package var dates: DateConvention? {
    type.ownDates ?? dateConvention
  }
}

extension AttributeType {
  /// How it stores dates; nil if its values are not dates, or are so by a convention only.
  package var ownDates: DateConvention? {
    switch self {
    case .date: .own
    case .calendarDate: .text(.day)
    case .integer8, .integer16, .integer32, .integer64, .unsigned8, .unsigned16, .unsigned32,
      .unsigned64, .boolean, .float, .double, .decimal, .string, .url, .uuid, .data, .coded,
      .undefined:
      nil
    }
  }
}

extension DatePart {
  /// The names of its values, if they are numbers with a meaning.
  var cases: [EnumCase]? {
    guard self == .weekday else { return nil }
    return zip(
      1..., ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    ).map { EnumCase(name: $1, value: .integer(Int64($0))) }
  }
}
