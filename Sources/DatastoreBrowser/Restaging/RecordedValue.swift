import DatastoreCore
import Foundation

/// A value in a recovery file: every storage class, without loss.
///
/// `null`, a whole number, a text; `{"real": "0.1"}`; `{"blob": "<base64>"}`; and for objects without a
/// number of their own in the file, `{"new": 7}` and `{"key": […]}`.
enum RecordedValue: Hashable, Sendable {
  case value(Value)
  /// An unsaved new object, by its temporary number.
  case new(RowKey)
  /// An object whose key is not an integer, by the values of its key.
  case key([Value])
}

extension RecordedValue: Codable {
  private enum CodingKeys: String, CodingKey {
    case real, blob, new, key
  }

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      self = .value(try Value(from: decoder))
      return
    }
    if let text = try container.decodeIfPresent(String.self, forKey: .real) {
      guard let real = Double(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .real, in: container, debugDescription: "“\(text)” is not a number")
      }
      self = .value(.real(real))
    } else if let data = try container.decodeIfPresent(Data.self, forKey: .blob) {
      self = .value(.blob(data))
    } else if let number = try container.decodeIfPresent(Int64.self, forKey: .new) {
      self = .new(RowKey(number))
    } else {
      let parts = try container.decode([RecordedValue].self, forKey: .key)
      self = .key(parts.map { if case .value(let value) = $0 { value } else { .null } })
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .value(.real(let real)):
      var container = encoder.container(keyedBy: CodingKeys.self)
      // As text: JSON has no infinity, and reads 1.0 back as a whole number.
      try container.encode(String(real), forKey: .real)
    case .value(let value): try value.encode(to: encoder)
    case .new(let number):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number.rawValue, forKey: .new)
    case .key(let values):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(values.map { RecordedValue.value($0) }, forKey: .key)
    }
  }
}
