/// What the program was asked for.
struct Arguments {
  var rows = 100_000
  var runs = 5
  /// Where to write the table; only printed without it.
  var output: String?
  var works = Work.allCases
  /// Run only the library, for a profiler.
  var onlyLibrary = false
  /// Run only the C API, whose instructions a profiler is to count.
  var onlyRaw = false
  /// Measure migrations instead.
  var migrations = false
  /// Measure snapshots and structs instead.
  var values = false

  static let usage = """
    usage: Benchmarks [--rows N] [--runs N] [--only WORK,…] [--library] [--raw] [--migrations] [--values] [--write FILE]
      --rows     rows of the table (100000)
      --runs     runs of each work, of which the median counts (5)
      --only     \(Work.allCases.map(\.rawValue).joined(separator: ", "))
      --library  without the other contenders, for a profiler
      --raw      the C API only, for a profiler
      --migrations  migrations instead, against SQL by hand
      --values   snapshots of lists and objects, and structs, instead
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
      guard let value = words.popFirst() else { throw Misuse(message: Self.usage) }
      switch word {
      case "--rows": rows = try Self.count(value, atLeast: 1000)
      case "--runs": runs = try Self.count(value, atLeast: 1)
      case "--write": output = value
      case "--only":
        works = try value.split(separator: ",").map { name in
          guard let work = Work(rawValue: String(name)) else {
            throw Misuse(message: "There is no work named \(name).\n\(Self.usage)")
          }
          return work
        }
      default: throw Misuse(message: Self.usage)
      }
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
