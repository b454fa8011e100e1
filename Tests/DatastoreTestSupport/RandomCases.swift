import Foundation

/// The number of random cases of every property test, and their seed. Each test defines its case.
///
/// `DATASTORE_TEST_CASES=20000` runs more of them, `DATASTORE_TEST_SEED=7` other ones; a seed of `random` is
/// a new one each time. Both are printed when the first test draws. The same two give the same cases on every
/// machine.
package enum RandomCases {
  /// The number of cases of each property test: 400 unless the environment says otherwise.
  package static let count = max(1, setting("CASES").flatMap { Int($0) } ?? 400)

  /// The base from which the seeds of all tests follow.
  private static let base: UInt64 = {
    let text = setting("SEED")
    let base = text == "random" ? .random(in: 0 ... .max) : text.flatMap { UInt64($0) } ?? 1
    let line = """
      \(count) random cases of each property, DATASTORE_TEST_SEED=\(base)

      """
    FileHandle.standardError.write(Data(line.utf8))
    return base
  }()

  private static func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["DATASTORE_TEST_\(name)"]
  }

  /// The rounds that it takes, when each has so many cases.
  package static func rounds(of cases: Int) -> Range<Int> { 0..<(count + cases - 1) / cases }

  /// The seed of one round of a test, another one in each file.
  package static func seed(_ round: Int = 0, file: StaticString = #fileID) -> UInt64 {
    // FNV-1a, since hashes of the standard library are not the same from run to run.
    let salt = "\(file)".utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    // Mixed, because generators whose seeds lie that far apart would draw the same numbers, one later.
    var random = SeededRandom(seed: base ^ salt)
    let start = random.next()
    random = SeededRandom(seed: start ^ UInt64(round))
    return random.next()
  }
}

/// Reproducible random numbers: SplitMix64, <https://prng.di.unimi.it/splitmix64.c>.
package struct SeededRandom: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to a bound, which is not among them.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
