import Basics
package import DatastoreCore
public import Foundation

/// The conversion of an `Attribute.Coded` value to and from bytes in the file.
///
/// ```swift
/// @Attribute.Coded(coder: .propertyList) var address: Address?
/// @Attribute.Coded(coder: .custom("flags", encode: { Data([$0.bits]) }, decode: Flags.init)) var flags: Flags?
/// ```
///
/// The file records the name of the coder. A model with another coder for an attribute that has values is
/// another version: a mapping (`CustomSchemaMappingProvider`) has to read its objects with the old class and
/// write them with the new one. Nothing else knows what the stored bytes mean.
public struct AttributeCoder<T: Sendable>: Sendable {
  /// The name in the file; nil for JSON.
  package let name: String?
  package let encode: @Sendable (T) throws -> Data
  package let decode: @Sendable (Data) throws -> T

  private init(
    name: String?, encode: @escaping @Sendable (T) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> T
  ) {
    self.name = name
    self.encode = encode
    self.decode = decode
  }

  /// A custom coder.
  ///
  /// - Parameters:
  ///   - name: the name in the file. Use another name for each format of the bytes: it identifies the format.
  ///   - encode: converts a value to bytes; equal values should give equal bytes, so that conditions can
  ///     compare them. Assigning traps when it throws.
  ///   - decode: the inverse; bytes for which it throws read as nil.
  public static func custom(
    _ name: String, encode: @escaping @Sendable (T) throws -> Data,
    decode: @escaping @Sendable (Data) throws -> T
  ) -> AttributeCoder {
    AttributeCoder(name: name, encode: encode, decode: decode)
  }

  package func stored(_ value: T?) -> Value {
    guard let value else { return .null }
    do {
      return .blob(try encode(value))
    } catch {
      trap("a \(T.self) cannot be stored, because its coder threw: \(error)")
    }
  }
}

extension AttributeCoder where T: Codable {
  /// JSON with sorted keys: the default coder.
  public static var json: AttributeCoder {
    AttributeCoder(
      name: nil,
      encode: { try AttributeCoding.encode($0) }, decode: { try AttributeCoding.decode(T.self, $0) }
    )
  }

  /// A binary property list: shorter than JSON for data and numbers. Equal values need not give equal bytes,
  /// so conditions cannot compare them.
  public static var propertyList: AttributeCoder {
    AttributeCoder(
      name: "propertyList",
      encode: { value in
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // A number or a text alone is not a property list.
        return try encoder.encode([value])
      },
      decode: { data in
        let values = try PropertyListDecoder().decode([T].self, from: data)
        guard let value = values.first else { throw CocoaError(.coderReadCorrupt) }
        return value
      })
  }
}

/// JSON of any value, the default form of coded attributes.
enum AttributeCoding {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    // Equal values must make equal data, and every number must be stored.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return try encoder.encode(value)
  }

  static func decode<T: Decodable>(_ type: T.Type, _ data: Data) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return try decoder.decode(type, from: data)
  }
}
