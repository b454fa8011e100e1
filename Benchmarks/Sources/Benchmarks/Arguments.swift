/// The arguments of the program.
struct Arguments {
  var rows = 100_000
  var runs = 5
  /// Where to write the table; only printed without it.
  var output: String?
  /// Run only the library, for a profiler.
  var onlyLibrary = false
  /// Run only the C API, whose instructions a profiler is to count.
  var onlyRaw = false
  /// Measure migrations instead.
  var migrations = false
  /// Measure snapshots and structs instead.
  var values = false
  /// Measure a class in two files instead.
  var stores = false
  /// Measure the engine for PostgreSQL instead.
  var server = false
  /// Names of works; all without any.
  var names: [String] = []

  static let usage = """
    usage: Benchmarks [--rows N] [--runs N] [--only WORK,…] [--library] [--raw] [--migrations] [--values] [--stores]
             [--postgresql] [--write FILE]
      --rows     rows of the table (100000)
      --runs     runs of each work, of which the median counts (5)
      --only     \(Work.allCases.map(\.rawValue).joined(separator: ", "))
      --library  without the other contenders, for a profiler
      --raw      the C API only, for a profiler
      --migrations  migrations instead, against SQL by hand
      --values   snapshots of lists and objects, and structs, instead
      --stores   a class in two files instead, beside the same rows in one
      --postgresql  the engine for PostgreSQL, on the server that the environment names, instead
      --write    also write the table to a Markdown file
    """

  init(_ words: some Sequence<String>) throws {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if word == "--library" {
        onlyLibrary = true
        continue
      }
      if word == "--raw" {
        onlyRaw = true
        continue
      }
      if word == "--migrations" {
        migrations = true
        continue
      }
      if word == "--values" {
        values = true
        continue
      }
      if word == "--stores" {
        stores = true
        continue
      }
      if word == "--postgresql" {
        server = true
        continue
      }
      guard let value = words.popFirst() else { throw Misuse(message: Self.usage) }
      switch word {
      case "--rows": rows = try Self.count(value, atLeast: 1000)
      case "--runs": runs = try Self.count(value, atLeast: 1)
      case "--write": output = value
      case "--only": names = value.split(separator: ",").map(String.init)
      default: throw Misuse(message: Self.usage)
      }
    }
  }

  /// The works to be measured, of those that there are.
  func works<Kind: RawRepresentable<String> & CaseIterable>(of kind: Kind.Type) throws -> [Kind] {
    if names.isEmpty { return Array(kind.allCases) }
    return try names.map { name in
      guard let work = kind.init(rawValue: name) else {
        let known = kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Misuse(message: "There is no work named \(name), but \(known).")
      }
      return work
    }
  }

  private static func count(_ text: String, atLeast least: Int) throws -> Int {
    guard let number = Int(text), number >= least else {
      throw Misuse(message: "“\(text)” is no number from \(least) up.")
    }
    return number
  }

  struct Misuse: Error {
    let message: String
  }
}
