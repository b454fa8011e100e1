import DatastoreTestSupport
import Foundation
import Testing

/// Random input for every reader of text; `make fuzz` runs far more of it. Put an input that breaks a rule,
/// or ends the process, into `Corpus`, in the folder of its target; it is tested from then on.
@Suite(.serialized) struct FuzzTests {
  /// Inputs for each target: `DATASTORE_FUZZ_CASES`, else 200.
  private static let cases =
    ProcessInfo.processInfo.environment["DATASTORE_FUZZ_CASES"].flatMap { Int($0) } ?? 200

  @Test(arguments: FuzzTarget.all)
  func rulesHoldForAnyInput(target: FuzzTarget) throws {
    let seed = RandomCases.seed(FuzzTarget.all.firstIndex { $0.name == target.name } ?? 0)
    var mutator = Mutator(target, seed: seed)
    let black = try BlackBox(target.name)
    for number in 0..<Self.cases {
      let input = mutator.next()
      black.record(input)
      let broken = target.check(input)
      if !broken.isEmpty {
        let shown = String(decoding: input.prefix(400), as: UTF8.self)
        Issue.record(
          """
          \(target.name), input \(number), DATASTORE_TEST_SEED as printed: \
          \(broken.prefix(3).joined(separator: "; ")) for \(shown.debugDescription)
          """)
        return black.keep()
      }
    }
    black.close()
    print("fuzz: \(Self.cases) inputs for the \(target.name), seed \(seed)")
  }

  @Test(arguments: FuzzTarget.all)
  func whatOnceBrokeARuleBreaksNone(target: FuzzTarget) throws {
    for seed in target.seeds { #expect(target.check(Array(seed.utf8)) == []) }
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Corpus/\(target.name)")
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let input = try Data(contentsOf: folder.appending(path: name))
      #expect(target.check(Array(input)) == [], "\(target.name)/\(name)")
    }
  }
}
