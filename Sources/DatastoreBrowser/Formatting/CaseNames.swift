import DatastoreCore

/// The names of an enum's cases by raw value. Only for enums of numbers, since texts speak for themselves.
struct CaseNames: Hashable, Sendable {
  private let names: [Int64: String]
  /// All names, in the order of the model.
  let all: [String]

  /// Creates no names.
  init() { (names, all) = ([:], []) }

  init(_ attribute: AttributeDescription) {
    let cases = attribute.numberedCases
    names = Dictionary(cases.map { ($0.raw, $0.name) }, uniquingKeysWith: { $1 })
    all = cases.map(\.name)
  }

  var isEmpty: Bool { names.isEmpty }

  /// The name of the case with a raw value. O(1).
  subscript(raw: Int64) -> String? { names[raw] }

  func name(of value: Value) -> String? {
    if case .integer(let raw) = value { return names[raw] }
    return nil
  }

  /// The value of the case with a name, ignoring case.
  func value(named name: String) -> Value? {
    let wanted = name.lowercased()
    return names.first { $0.value.lowercased() == wanted }.map { .integer($0.key) }
  }
}
