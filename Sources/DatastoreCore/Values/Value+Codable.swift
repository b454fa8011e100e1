import Foundation

/// A stored value in JSON: `null`, a number, a string, or `{"blob": base64}`; reals always carry their class
/// (`{"real": 1}`), because JSON would read 1.0 back as an integer.
extension Value: Codable {
  private enum CodingKeys: String, CodingKey {
    case real, blob
  }

  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      if let real = try container.decodeIfPresent(Double.self, forKey: .real) {
        self = .real(real)
      } else {
        self = .blob(try container.decode(Data.self, forKey: .blob))
      }
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .integer(let integer):
      var container = encoder.singleValueContainer()
      try container.encode(integer)
    case .text(let text):
      var container = encoder.singleValueContainer()
      try container.encode(text)
    case .real(let real):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(real, forKey: .real)
    case .blob(let data):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(data, forKey: .blob)
    }
  }
}
