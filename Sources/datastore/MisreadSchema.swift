import Foundation

/// The place in a schema as JSON that says what no schema says, as the end of a sentence.
struct MisreadSchema: CustomStringConvertible {
  let description: String

  /// nil if the text is not a schema at all.
  init?(_ error: DecodingError, in json: Data) {
    var missing: String?
    let path: [any CodingKey]
    if case .keyNotFound(let key, let context) = error {
      missing = key.stringValue
      path = context.codingPath
    } else if case .dataCorrupted(let context) = error {
      path = context.codingPath
    } else if case .typeMismatch(_, let context) = error {
      path = context.codingPath
    } else if case .valueNotFound(_, let context) = error {
      path = context.codingPath
    } else {
      return nil
    }
    guard !path.isEmpty else { return nil }
    var value = try? JSONSerialization.jsonObject(with: json)
    var place = ""
    var names: [String] = []
    for key in path {
      if let index = key.intValue {
        place += "[\(index)]"
        let list = value as? [Any] ?? []
        value = list.indices.contains(index) ? list[index] : nil
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
        value = (value as? [String: Any])?[key.stringValue]
      }
      if let name = (value as? [String: Any])?["name"] as? String { names.append(name) }
    }
    if !names.isEmpty { place += " (\(names.joined(separator: ".")))" }
    if let missing {
      description = "\(place) has no “\(missing)”"
    } else {
      description = "at \(place) it says \(Self.text(of: value)), which no schema has there"
    }
  }

  /// A value as JSON, if it is not long.
  private static func text(of value: Any?) -> String {
    guard let value,
      let data = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    else { return "something" }
    let text = String(decoding: data, as: UTF8.self)
    return text.count > 60 ? "\(text.prefix(60))…" : text
  }
}
