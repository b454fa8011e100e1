import Basics
import DatastoreCore
import Foundation

/// Brings this program to the other end of a line if it is not installed there.
///
/// A shell there creates a file, opens it and removes its name before writing to it. The program is then
/// written into the file, compared by a checksum, and run through `/proc` with the shell's process id. So
/// nothing is left behind, however either side ends: the file is gone with the last process that has it open.
/// The shell waits for the end of its line, so further lines of this command find the program; if the shell
/// has ended, the next line brings the program again.
package final class FarBringing: Sendable {
  private let keeper = Lock<Keeper?>(nil)
  private let patience: Double
  private let progress: @Sendable (_ sent: Int, _ total: Int) -> Void

  private struct Keeper {
    let shell: FarShell
    let program: String
  }

  /// - Parameters:
  ///   - patience: the greatest time for each answer, in seconds; the first may include entering a password.
  ///   - progress: receives the numbers of sent bytes and of all bytes.
  package init(
    patience: Double = 120,
    progress: @escaping @Sendable (_ sent: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    self.patience = patience
    self.progress = progress
  }

  deinit { leave() }

  /// Lets go of what was brought, so that the next line brings it again.
  func leave() { keeper.withLock { $0.take()?.shell.close() } }

  /// The path of the program there. Brings the program unless it is there already.
  ///
  /// - Throws: `StoreError` with the obstacle.
  func program(at address: FarAddress) throws -> String {
    try keeper.withLock { keeper in
      if let known = keeper {
        if !known.shell.hasEnded { return known.program }
        keeper = nil
        known.shell.close()
      }
      let new = try bring(to: address)
      keeper = new
      return new.program
    }
  }

  private func bring(to address: FarAddress) throws -> Keeper {
    let file = open(Self.ownProgram, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw StoreError.cannotOpen(
        path: address.name, detail: "this program cannot read itself (\(Self.systemError))")
    }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    var shell = try FarShell(
      address.shell(), named: address.name, running: Self.script(size: size),
      patience: patience)
    do {
      let program = try bring(file, &shell)
      return Keeper(shell: shell, program: program)
    } catch {
      shell.close()
      throw error
    }
  }

  /// - Returns: the path of the program there.
  private func bring(_ file: Int32, _ shell: inout FarShell) throws -> String {
    let (tools, number) = try Self.prepare(&shell)
    let sum = Self.sums.filter { tools.contains($0[0]) }.lazy.compactMap { words in
      Self.output(of: words, file).map { (words[0], Self.sumWords($0)) }
    }.first
    guard let (sumTool, expected) = sum else {
      throw shell.failure("no program to compare files with is at both ends")
    }
    let packed = Self.packers.filter { tools.contains($0[0]) }.lazy.compactMap { words in
      Self.output(of: words, file).map { (words[0], $0) }
    }.first
    guard let (packer, data) = packed ?? Self.output(of: ["cat"], file).map({ ("none", $0) }) else {
      throw shell.failure("this program cannot read itself")
    }
    try shell.send(line: "\(sumTool) \(packer) \(data.count)")
    try shell.send(data) { progress($0, data.count) }
    let answer = try shell.answer()
    guard answer.word == "sum", Self.sumWords(Data(answer.text.utf8)) == expected else {
      throw shell.failure("what arrived there is not what was sent, so it was not run")
    }
    try shell.send(line: "run \(answer.text)")
    let start = try shell.answer()
    guard start.word == "runs" else {
      throw shell.failure(
        "this program was copied there and cannot run: \(start.text); it needs the C library and "
          + "SQLite (libsqlite3) of that machine, as new as here")
    }
    return "/proc/\(number)/fd/3"
  }

  /// Waits until the shell has created the file.
  ///
  /// - Returns: the tools of that machine, and the process id of the shell.
  private static func prepare(_ shell: inout FarShell) throws -> (Set<String>, Int32) {
    var tools: Set<String> = []
    var passed: [String] = []
    var isSameSystem = false
    for _ in 0..<100 {
      let answer = try shell.answer()
      switch answer.word {
      case "begins": continue
      case "system":
        guard answer.text == system else {
          throw shell.failure(
            "this program is for \(system), and that machine is \(answer.text); install datastore there"
          )
        }
        isSameSystem = true
        continue
      case "has":
        tools.insert(answer.text)
        continue
      case "passes":
        passed.append(reason(answer.text))
        continue
      case "nowhere":
        let reasons =
          passed.isEmpty ? "there is no temporary folder" : passed.joined(separator: ", ")
        throw shell.failure(
          "there is no place for this program: \(reasons); set TMPDIR there, or install datastore there"
        )
      case "ready":
        if isSameSystem, let number = Int32(answer.text), number > 0 { return (tools, number) }
      default: break
      }
      break
    }
    throw shell.failure("what answers there is no shell")
  }

  /// The reason why a folder there was skipped, from a word and the path.
  private static func reason(_ text: String) -> String {
    let parts = text.words(most: 2)
    let folder = parts.count > 1 ? String(parts[1]) : "a folder"
    switch parts.first.map(String.init) {
    case "small": return "\(folder) has too little room"
    case "noexec": return "\(folder) lets no programs run"
    default: return "\(folder) cannot be written to"
    }
  }
}

// The properties and tools of this machine.
extension FarBringing {
  private static let ownProgram = "/proc/self/exe"

  /// The number of bytes to bring; nil if it cannot be read.
  package static var byteCount: Int? {
    var status = stat()
    return stat(ownProgram, &status) == 0 ? Int(status.st_size) : nil
  }

  private static var systemError: String { String(cString: strerror(errno)) }

  /// The system in the form of `uname -sm`: `Linux x86_64`.
  private static var system: String {
    var names = utsname()
    uname(&names)
    func text<Field>(_ field: Field) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    return "\(text(names.sysname)) \(text(names.machine))"
  }

  /// The programs that compute checksums; the first that both ends have is used.
  private static let sums = [["sha256sum"], ["shasum", "-a", "256"], ["cksum"]]

  /// The programs that compress; the first that both ends have is used.
  private static let packers = [["zstd", "-3", "-c", "-q"], ["gzip", "-1", "-c"]]

  /// The complete output of a program that reads a file; nil if it cannot be run, or fails.
  private static func output(of words: [String], _ file: Int32) -> Data? {
    lseek(file, 0, SEEK_SET)
    guard let output = try? ProgramOutput(words, input: file) else { return nil }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBufferPointer { output.read(into: $0) }
      if count == 0 { break }
      data.append(contentsOf: buffer.prefix(count))
    }
    return output.complaint() == nil ? data : nil
  }

  /// The words of a checksum, without the mark for standard input.
  private static func sumWords(_ data: Data) -> [String] {
    let text = String(decoding: data, as: UTF8.self)
    guard let line = text.lines().first else { return [] }
    return line.words().map { String($0) }.filter { $0 != "-" }
  }
}

extension FarBringing: Hashable {
  package static func == (one: FarBringing, other: FarBringing) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
