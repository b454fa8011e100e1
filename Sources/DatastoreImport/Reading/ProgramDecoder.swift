import Basics
import Foundation

/// A compressed file that a program of the system decodes: xz, zstd or bzip2. The program reads the file
/// itself.
final class ProgramDecoder {
  typealias Fault = Decompressor.Fault

  private let output: ProgramOutput

  /// - Parameter input: the compressed file, which is read from its current place on.
  /// - Throws: `Fault` if there is no such program.
  init(_ program: String, input: Int32) throws(Fault) {
    do throws(SpawnFailure) {
      output = try ProgramOutput([program, "-dc"], input: input)
    } catch {
      throw Fault(
        reason: error.code == ENOENT
          ? "it is compressed, and the program “\(program)”, which decodes it, is not installed"
          : "the program “\(program)”, which decodes it, does not start: \(error.reason)")
    }
  }

  /// Decodes the next bytes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: `Fault` if the data is damaged.
  func decode(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(Fault) -> Int {
    let count = output.read(into: buffer)
    if count == 0, let line = output.complaint() {
      throw Fault(
        reason: "its compressed data is damaged"
          + (line.isEmpty ? "" : " (\(line.shownInMessage))"))
    }
    return count
  }
}
