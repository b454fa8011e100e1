import Basics
import DatastoreCore
import Foundation

/// The URI of a row, which is valid beyond the process: `x-datastore://<store>/<entity>/<key>`.
///
/// - The store is the UUID of a native file, or `path` followed by the path of another file, as one
///   component.
/// - The key is a number, or the values of the key's columns, separated by commas: `i42` for an integer, `t`
///   and text, `r` and a real, `x` and bytes in hexadecimal.
struct ObjectURI: Hashable, Sendable {
  static let scheme = "x-datastore"

  var store: StoreName
  var entity: String
  var key: Key

  enum Key: Hashable, Sendable {
    case number(Int64)
    case values([Value])
  }

  /// Characters that are not escaped. All others are written as bytes, so that no part contains a separator.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }

  var text: String {
    let place =
      switch store {
      case .uuid(let uuid): uuid
      case .path(let path): "path/\(Self.escaped(path))"
      }
    let row =
      switch key {
      case .number(let number): String(number)
      case .values(let values): values.map(Self.text).joined(separator: ",")
      }
    return "\(Self.scheme)://\(place)/\(Self.escaped(entity))/\(row)"
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "n"
    case .integer(let integer): "i\(integer)"
    case .real(let real): "r\(escaped(String(real)))"
    case .text(let text): "t\(escaped(text))"
    case .blob(let data): "x\(Hexadecimal.text(data))"
    }
  }
}

extension ObjectURI {
  /// Reads the text form; nil for anything else.
  init?(_ text: String) {
    let start = "\(Self.scheme)://"
    guard text.hasPrefix(start) else { return nil }
    var parts = text.dropFirst(start.count).parts(at: "/")
      .map(String.init)[...]
    guard let first = parts.popFirst() else { return nil }
    if first == "path" {
      guard let path = parts.popFirst()?.removingPercentEncoding, path.begins(with: "/") else {
        return nil
      }
      store = .path(path)
    } else {
      guard let uuid = UUID(uuidString: first) else { return nil }
      store = .uuid(uuid.uuidString)
    }
    guard parts.count == 2, let name = parts.first?.removingPercentEncoding, !name.isEmpty,
      let row = parts.last, !row.isEmpty
    else { return nil }
    entity = name
    if let number = Int64(row) {
      key = .number(number)
      return
    }
    var values: [Value] = []
    for part in row.parts(at: ",") {
      guard let value = Self.value(part) else { return nil }
      values.append(value)
    }
    key = .values(values)
  }

  private static func value(_ text: Substring) -> Value? {
    let rest = String(text.dropFirst())
    switch text.first {
    case "n": return rest.isEmpty ? .null : nil
    case "i": return Int64(rest).map { .integer($0) }
    case "r": return rest.removingPercentEncoding.flatMap(Double.init).map { .real($0) }
    case "t": return rest.removingPercentEncoding.map { .text($0) }
    case "x": return Hexadecimal.bytes(rest).map { .blob(Data($0)) }
    default: return nil
    }
  }
}
