import Basics
import DatastoreCore
import Foundation

/// A shell at the other end of a line. It runs a script that answers in lines.
///
/// The script is the shell's standard input, so it needs no quoting for other shells on the way. It is one
/// compound command, because some shells read ahead: it starts when all of it has arrived. The script reads
/// further input itself.
///
/// Output from there is untrusted: only lines with a mark count, their length and the time for each are
/// limited, and none makes this program run anything. For one thread.
struct FarShell: Sendable {
  /// A line of the script: a word and its text.
  struct Answer {
    let word: String
    let text: String
  }

  private let name: String
  private let program: FarProgram
  private let reading: Int32
  private let writing: Int32
  /// The greatest time for a line, or for a part of a transfer, in seconds.
  private let patience: Double
  private var bytes: [UInt8] = []

  private static let mark = "datastore: "
  private static let longestLine = 4096
  /// The banners of shells have fewer lines.
  private static let mostLines = 1000
  private static let part = 1 << 16

  /// - Parameters:
  ///   - words: the local command that leads to the shell.
  ///   - patience: the greatest time for an answer, or for a part of a transfer, in seconds.
  /// - Throws: `StoreError`.
  init(
    _ words: [String], named name: String, running script: String, patience: Double
  ) throws {
    let streams = try FarProgram.start(words, named: name)
    self.name = name
    self.patience = patience
    (program, reading, writing) = (streams.program, streams.reading, streams.writing)
    do {
      try send(Data(script.utf8))
    } catch {
      close()
      throw error
    }
  }

  var hasEnded: Bool { program.hasEnded }

  /// Ends the shell, and waits a moment for it to exit. Must be called exactly once.
  func close() {
    Foundation.close(writing)
    Foundation.close(reading)
    program.end()
  }

  /// The next answer of the script.
  ///
  /// - Throws: `StoreError` if none arrives.
  mutating func answer() throws -> Answer {
    let end = Date() + patience
    for _ in 0..<Self.mostLines {
      let line = try line(until: end)
      guard line.begins(with: Self.mark) else { continue }
      let parts = line.dropFirst(Self.mark.count).words(most: 2)
      return Answer(
        word: parts.first.map(String.init) ?? "",
        text: parts.count > 1 ? String(parts[1].prefix(200)) : "")
    }
    throw failure("what answers there is no shell")
  }

  private mutating func line(until end: Date) throws -> String {
    while true {
      if let place = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(place + 1) }
        return String(decoding: bytes[..<place], as: UTF8.self)
      }
      guard bytes.count < Self.longestLine else { throw failure("what answers there is no shell") }
      bytes += try receive(Self.longestLine, until: end)
    }
  }

  /// Receives a number of bytes, part by part.
  ///
  /// - Throws: `StoreError` if they do not arrive; errors of `body`.
  mutating func take(_ count: Int, _ body: ([UInt8]) throws -> Void) throws {
    var left = count
    while left > 0 {
      var part = Array(bytes.prefix(min(left, Self.part)))
      bytes.removeFirst(part.count)
      let end = Date() + patience
      while part.count < min(left, Self.part) {
        part += try receive(min(left, Self.part) - part.count, until: end)
      }
      try body(part)
      left -= part.count
    }
  }

  /// Reads some bytes; none if the call was interrupted.
  private func receive(_ most: Int, until end: Date) throws -> [UInt8] {
    try wait(reading, POLLIN, until: end)
    var buffer = [UInt8](repeating: 0, count: most)
    let count = read(reading, &buffer, most)
    if count > 0 { return Array(buffer.prefix(count)) }
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    throw ended()
  }

  func send(line: String) throws { try send(Data("\(line)\n".utf8)) }

  /// - Parameter progress: receives the number of sent bytes.
  /// - Throws: `StoreError` if the other end does not read them.
  func send(_ data: Data, progress: (Int) -> Void = { _ in }) throws {
    try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var done = 0
      while done < bytes.count {
        try wait(writing, POLLOUT, until: Date() + patience)
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[done..<min(done + Self.part, bytes.count)])
        let count = Foundation.send(
          writing, part.baseAddress, part.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if count > 0 {
          done += count
          progress(done)
        } else if count < 0, errno != EINTR, errno != EAGAIN {
          throw ended()
        }
      }
    }
  }

  private func wait(_ file: Int32, _ event: Int32, until end: Date) throws {
    while true {
      var poll = pollfd(fd: file, events: Int16(event), revents: 0)
      let count = Foundation.poll(&poll, 1, Int32(max(0, end.timeIntervalSinceNow) * 1000))
      if count > 0 { return }
      if count == 0 { throw failure("nothing came from there for \(Int(patience)) seconds") }
      if errno != EINTR { throw failure(String(cString: strerror(errno))) }
    }
  }

  /// The error to throw if the shell's output has ended.
  private func ended() -> StoreError {
    program.end()
    return failure("the shell there ended")
  }

  /// The error to throw if the shell cannot continue, with the message of the program that leads there, or
  /// else the given reason.
  func failure(_ reason: String) -> StoreError {
    let complaint = program.complaint().map { String($0.prefix(200)) }
    if program.hasEnded, program.exitStatus == 255 {
      return .unreachable(server: name, detail: complaint ?? reason)
    }
    return .cannotOpen(path: name, detail: complaint.map { "\(reason) (\($0))" } ?? reason)
  }
}
