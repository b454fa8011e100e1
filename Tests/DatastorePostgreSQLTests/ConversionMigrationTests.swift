#if PostgreSQL
import DatastoreCore
import DatastorePostgreSQL
import DatastoreTestSupport
import Foundation
import SwiftDatastore
import SwiftDatastorePostgreSQL
import Testing

/// Attributes whose type changes: in a server, in a file, and by the conversion in memory.
@Suite("Conversions of values in a server")
struct ConversionMigrationTests {
  /// Of each type: values at its limits, and some that other types have, too.
  private static let samples: [AttributeType: [Value]] = {
    let integers: [Int64] = [0, 1, -1, 127, -128, 255, 256, 32_767, 65_535, 1 << 24, 1 << 31]
    var samples: [AttributeType: [Value]] = [:]
    for type in AttributeType.allCases {
      guard let range = type.wholeNumbers else { continue }
      samples[type] = (integers + [(1 << 24) + 1, (1 << 53) + 1, .max, .min])
        .filter(range.contains).map { .integer($0) }
    }
    let reals: [Double] = [0, 1, -1, 0.5, 1e100, -2.25, 7, 300, 123_456.75, 9.5e15]
    samples[.double] = (reals + [0.1, 1e-7]).map { .real($0) }
    samples[.float] = reals.filter { Double(Float($0)) == $0 }.map { .real($0) }
    samples[.decimal] = ["0", "1", "-1", "0.1", "12.5", "123456789012345678901234567890"].map {
      Decimal(string: $0).map { Value(decimal: $0) } ?? .null
    }
    samples[.date] = [0, 1, -0.5, 800_000_000.25].map { .real($0) }
    samples[.string] = [
      "", "0", "1", "007", "7", "-12", "0.1", "1.0", "1e100", "true", "Größe", "a 'b\" \\c",
      "2024-02-29", "2024-02-30", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "https://swift.org/a?b=1",
    ].map { .text($0) }
    samples[.url] = ["https://swift.org/", "a"].map { .text($0) }
    samples[.calendarDate] = ["2024-02-29", "1970-01-01"].map { .text($0) }
    samples[.uuid] = [.blob(Data(repeating: 7, count: 16))]
    samples[.data] = [
      Data(), Data([1, 2, 0]), Data(repeating: 9, count: 16), Data("7".utf8), Data("\"x\"".utf8),
    ].map { .blob($0) }
    samples[.coded] = ["7", "\"x\"", "1.5", "true", "[1]"].map { .blob(Data($0.utf8)) }
    return samples
  }()

  private static let types = AttributeType.allCases.filter { $0 != .undefined }

  /// An entity for each type, with an attribute for each type that it may become.
  private func schema(
    isNew: Bool, isOptional: Bool, _ values: [AttributeType: Value]
  ) throws -> Schema {
    try Schema(
      Self.types.map { from in
        EntityDescription(
          name: "From_\(from.rawValue)",
          properties: Self.types.map { to in
            let type = isNew ? to : from
            return .attribute(
              AttributeDescription(
                name: "to_\(to.rawValue)", type: type, isOptional: isOptional || !isNew,
                defaultValue: isNew && !isOptional ? values[to] ?? .null : .null))
          })
      })
  }

  // Promise: the server converts a value otherwise than memory does → it is converted by the program.
  // Also: (every type to every type)
  @Test(
    "Every value of every type becomes what the conversion says, or is told as a loss",
    arguments: [true, false])
  func agreement(isOptional: Bool) async throws {
    let server = try PostgreSQLServer.shared()
    let address = try PostgreSQLAddress(server.address(of: server.makeDatabase()))
    let defaults = Self.samples.compactMapValues(\.last)
    let old = try schema(isNew: false, isOptional: isOptional, defaults)
    let new = try schema(isNew: true, isOptional: isOptional, defaults)
    let made = SwiftDatastore(
      try PostgreSQLStore(old, at: address, named: "types"), dataModel: nil, storeName: "types",
      options: .init())
    try await made.write { context in
      for from in Self.types {
        for value in (Self.samples[from] ?? []) + [.null] {
          let entity = try #require(old.entity(named: "From_\(from.rawValue)"))
          let object = try #require(try context.makeObject(of: entity) as? DynamicObject)
          for to in Self.types { object["to_\(to.rawValue)"] = value }
        }
      }
    }
    let stored = try await StoreContents(of: made)
    try made.close()
    let migrated = SwiftDatastore(
      try PostgreSQLStore(
        new, at: address, named: "types",
        migration: MigrationRequest(policy: .declared(.all))), dataModel: nil,
      storeName: "types", options: .init())
    let contents = try await StoreContents(of: migrated)
    try migrated.close()
    var differences: [String] = []
    for from in Self.types {
      let name = "From_\(from.rawValue)"
      for (before, after) in zip(stored[name], contents[name]) {
        #expect(before.key == after.key)
        for to in Self.types {
          let value = before["to_\(to.rawValue)"]
          let conversion = AttributeConversion(from: from, to: to)
          var expected = conversion.convert(value) ?? .null
          if to == .date, case .real(let seconds) = expected {
            // Microseconds, in the calendar of the server.
            expected =
              ServerTime(secondsSince2001: seconds).map { .real($0.secondsSince2001) } ?? .null
          }
          if expected.isNull, !isOptional { expected = defaults[to] ?? .null }
          if after["to_\(to.rawValue)"] != expected {
            differences.append(
              "\(from) \(value) as \(to): \(after["to_\(to.rawValue)"]) instead of \(expected)")
          }
        }
      }
      #expect(stored[name].count == contents[name].count)
    }
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }
}
#endif
