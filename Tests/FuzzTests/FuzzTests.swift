import DatastoreTestSupport
import Foundation
import Testing

/// Whatever is given to what reads text: `make fuzz` tries far more inputs. One that breaks a rule, or
/// ends the process, belongs into `Corpus`, in the folder of its target, to be tried ever after.
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
      black.note(input)
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

/// Keeps the input that is being tried in a mapped file, so that it is there when the process is not.
private final class BlackBox {
  private static let size = 1 << 21
  private let path: String
  private let memory: UnsafeMutableRawPointer
  private var count = 0

  init(_ name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "datastore-fuzz")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: name.replacingOccurrences(of: " ", with: "-")).path
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(Self.size)) == 0,
      let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    Glibc.close(descriptor)
    self.memory = memory
  }

  /// The length in text, a line end, the input.
  func note(_ input: [UInt8]) {
    let bytes = Array("\(input.count)\n".utf8) + input.prefix(Self.size - 32)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    count = bytes.count
  }

  /// Leaves the file and says where it is.
  func keep() {
    munmap(memory, Self.size)
    truncate(path, off_t(count))
    print("fuzz: the input stands in \(path), behind its length and a line end")
  }

  func close() {
    munmap(memory, Self.size)
    unlink(path)
  }
}
