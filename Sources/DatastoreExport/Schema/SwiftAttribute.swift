import Basics
import DatastoreCore
import Foundation

/// An attribute as a property of a Swift class.
struct SwiftAttribute {
  let lines: [String]

  init(_ attribute: AttributeDescription, name: String, storedName: String?) {
    var lines: [String] = []
    var arguments: [String] = []
    let isCoded = attribute.type == .coded
    if attribute.isIndexed, !isCoded { arguments.append("indexed: true") }
    if attribute.isUnique, !isCoded { arguments.append("unique: true") }
    if attribute.isSearchable { arguments.append("searchable: true") }
    arguments += SwiftSchema.names(attribute.renamedFrom, storedName, attribute.hashModifier)
    if let coder = attribute.coder { arguments.append(Self.coder(coder)) }
    let rules = attribute.rules.compactMap { Self.rule($0, of: Self.type(of: attribute)) }
    if !rules.isEmpty {
      let list = rules.joined(separator: ", ")
      arguments.append("validate: " + (rules.count == 1 ? list : "[\(list)]"))
    }
    let list = arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")"
    if isCoded {
      lines.append(
        "  // Coded: write the type whose values are stored in place of [String: String].")
      lines.append(
        attribute.isOptional
          ? "  @Attribute.Coded\(list) var \(name): [String: String]?"
          : "  @Attribute.Coded.NotOptional\(list) var \(name): [String: String] = [:]")
    } else {
      let type = Self.type(of: attribute)
      let wrapper = attribute.isOptional ? "Optional" : "NotOptional"
      let value = Self.literal(attribute.defaultValue, of: type).map { " = \($0)" } ?? ""
      lines.append(
        "  @Attribute.\(wrapper)\(list) var \(name): \(type)\(attribute.isOptional ? "?" : "")\(value)"
      )
    }
    self.lines = lines
  }

  private static func coder(_ name: String) -> String {
    if name == "propertyList" { return "coder: .propertyList" }
    let name = SwiftSchema.literal(name)
    return "coder: .custom(\(name), encode: { … }, decode: { … })"
  }

  /// A rule as an argument; nil if a limit has no literal.
  private static func rule(_ rule: ValidationRule, of type: String) -> String? {
    func range(_ low: String?, _ high: String?) -> String {
      // A decimal limit is an expression and needs parentheses.
      let ends = [low, high].map { $0.map { $0.has(" ") ? "(\($0))" : $0 } ?? "" }
      return ends.joined(separator: "...")
    }
    switch rule {
    case .range(let minimum, let maximum):
      let (low, high) = (
        minimum.flatMap { literal($0, of: type) }, maximum.flatMap { literal($0, of: type) }
      )
      if minimum != nil && low == nil || maximum != nil && high == nil { return nil }
      return ".range(\(range(low, high)))"
    case .length(let minimum, let maximum):
      return ".length(\(range(minimum.map(String.init), maximum.map(String.init))))"
    case .matches(let pattern): return ".matches(\(SwiftSchema.literal(pattern)))"
    case .email: return ".email"
    }
  }

  private static func type(of attribute: AttributeDescription) -> String {
    switch attribute.type {
    case .integer8: "Int8"
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .unsigned8: "UInt8"
    case .unsigned16: "UInt16"
    case .unsigned32: "UInt32"
    case .unsigned64: "UInt"
    case .boolean: "Bool"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .url: "URL"
    case .date: "Date"
    case .calendarDate: "CalendarDate"
    case .uuid: "UUID"
    case .data, .coded: "Data"
    case .undefined:
      ["DEC", "NUM"].contains { attribute.declaredType?.uppercased().contains($0) ?? false }
        ? "Decimal" : "Value"
    }
  }

  /// The default value as a literal; nil if there is none, or if it has another type.
  private static func literal(_ value: Value, of type: String) -> String? {
    switch (type, value) {
    case ("Bool", .integer(let integer)): integer == 0 ? "false" : "true"
    case (let type, .integer(let integer)) where type.hasPrefix("UInt") && integer < 0: nil
    case ("Decimal", .integer(let integer)): String(integer)
    case ("Decimal", .real), ("Decimal", .text): decimal(value)
    case ("Date", .integer(let integer)): "Date(timeIntervalSinceReferenceDate: \(integer))"
    case ("Date", .real(let real)): "Date(timeIntervalSinceReferenceDate: \(real))"
    case (let type, .integer(let integer)) where type.contains("Int") || isReal(type):
      String(integer)
    case (let type, .real(let real)) where isReal(type) && real.isFinite: String(real)
    case ("String", .text(let text)), ("Value", .text(let text)): SwiftSchema.literal(text)
    case ("Value", .integer(let integer)): String(integer)
    case ("Value", .real(let real)) where real.isFinite: ".real(\(real))"
    case ("Value", .blob(let data)):
      ".blob(Data([" + data.map(String.init).joined(separator: ", ") + "]))"
    case ("CalendarDate", .text(let text)):
      CalendarDate(text).map {
        "CalendarDate(year: \($0.year), month: \($0.month), day: \($0.day))"
      }
    case ("Data", .blob(let data)):
      "Data([" + data.map(String.init).joined(separator: ", ") + "])"
    case ("UUID", .blob(let data)) where data.count == 16:
      "UUID(uuid: (" + data.map(String.init).joined(separator: ", ") + "))"
    default: nil
    }
  }

  private static func isReal(_ type: String) -> Bool { type == "Double" || type == "Float" }

  /// A decimal built from its parts, since a literal would pass through a double.
  private static func decimal(_ value: Value) -> String? {
    guard let decimal = Decimal(stored: value) else { return nil }
    let text = SwiftSchema.literal(decimal.description)
    return "Decimal(string: \(text)) ?? 0"
  }
}
