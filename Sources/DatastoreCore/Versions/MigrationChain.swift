/// The order of the versions of a model, as steps from one to another.
///
/// ```swift
/// let chain: MigrationChain = ["V1", "V2", "V3"]
/// let joining: MigrationChain = ["V1": "V3", "V2": "V3"]
/// ```
///
/// `nil` and a single name mean no steps.
public struct MigrationChain: Sendable {
  /// One step of the chain.
  public struct Step: Sendable, Hashable {
    /// The version of a file before the step.
    public let source: String
    /// Its version after the step.
    public let destination: String
  }

  /// In the order as written.
  public let steps: [Step]
  /// All versions, in the order of their first mention.
  public let versions: [String]
  /// Names that appear twice in a list.
  private let repeated: [String]

  private init(steps: [Step], names: [String], repeated: [String] = []) {
    self.steps = steps
    var seen: Set<String> = []
    versions = names.filter { seen.insert($0).inserted }
    self.repeated = repeated
  }

  /// No steps.
  public init() {
    self.init(steps: [], names: [])
  }

  /// A step from each version to the one after it.
  public init(_ versions: [String]) {
    var seen: Set<String> = []
    self.init(
      steps: zip(versions, versions.dropFirst()).map { Step(source: $0, destination: $1) },
      names: versions, repeated: versions.filter { !seen.insert($0).inserted })
  }

  /// Each pair is a step; several may lead to one version.
  public init(_ steps: [(source: String, destination: String)]) {
    self.init(
      steps: steps.map { Step(source: $0.source, destination: $0.destination) },
      names: steps.flatMap { [$0.source, $0.destination] })
  }

  /// Whether each version has at most one successor, and none leads back to itself.
  public var isValid: Bool { faults.isEmpty }

  /// The versions without a successor.
  public var lastVersions: [String] {
    let sources = Set(steps.map(\.source))
    return versions.filter { !sources.contains($0) }
  }

  /// The version after one; nil at the end, and for unknown versions. O(steps).
  public func version(after version: String) -> String? {
    steps.first { $0.source == version }?.destination
  }

  /// The steps from one version to another, empty if they are the same; nil if no path leads there.
  /// O(steps²).
  public func way(from source: String, to destination: String) -> [Step]? {
    var way: [Step] = []
    var version = source
    while version != destination {
      guard way.count <= steps.count, let next = self.version(after: version) else { return nil }
      way.append(Step(source: version, destination: next))
      version = next
    }
    return way
  }

  /// Its faults, a sentence each.
  var faults: [String] {
    var faults = repeated.map { "The migration chain names “\($0)” twice; name each version once." }
    var destinations: [String: [String]] = [:]
    for step in steps { destinations[step.source, default: []].append(step.destination) }
    for version in versions where !repeated.contains(version) {
      guard let ways = destinations[version], ways.count > 1 else { continue }
      faults.append(
        "The migration chain leads from “\(version)” to "
          + "\(ways.map { "“\($0)”" }.joined(separator: " and ")); a version has one way on.")
    }
    var reported: Set<String> = []
    for version in versions where !reported.contains(version) {
      guard let circle = circle(from: version) else { continue }
      reported.formUnion(circle)
      faults.append(
        "The migration chain goes in a circle: "
          + (circle + [circle[0]]).map { "“\($0)”" }.joined(separator: ", ") + ".")
    }
    return faults
  }

  /// The versions from one on, if they lead back to it.
  private func circle(from start: String) -> [String]? {
    var circle = [start]
    while circle.count <= steps.count, let next = version(after: circle[circle.count - 1]) {
      if next == start { return circle }
      circle.append(next)
    }
    return nil
  }
}

/// Chains are equal when they have the same steps and versions, however they were written.
extension MigrationChain: Hashable {
  public static func == (left: MigrationChain, right: MigrationChain) -> Bool {
    Set(left.steps) == Set(right.steps) && Set(left.versions) == Set(right.versions)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(steps))
    hasher.combine(Set(versions))
  }
}

extension MigrationChain: ExpressibleByNilLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self.init() }

  public init(stringLiteral version: String) { self.init([version]) }

  public init(arrayLiteral versions: String...) { self.init(versions) }

  public init(dictionaryLiteral steps: (String, String)...) {
    self.init(steps.map { (source: $0.0, destination: $0.1) })
  }
}
