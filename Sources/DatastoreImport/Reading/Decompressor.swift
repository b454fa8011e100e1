import Foundation

/// Decompresses a file with zlib, or with a program of the system.
final class Decompressor {
  /// The reason why the data cannot be read: a part of a sentence.
  struct Fault: Error, Equatable {
    let reason: String

    static let truncated = Fault(reason: "its compressed data ends too early")
    static let damaged = Fault(reason: "its compressed data is damaged")
    static let tooLong = Fault(
      reason:
        "it becomes more than \(mostTimes) times as long as it is, as no file of rows does")
  }

  private enum Decoder {
    case gzip(GzipDecoder)
    case program(ProgramDecoder)
  }

  /// The size that any compressed file may reach.
  private static let leastLimit = 1 << 30
  /// How many times its own size it may reach beyond that.
  private static let mostTimes = 1_000

  private let decoder: Decoder
  private let limit: Int
  private var count = 0
  /// The file that a program reads.
  private let file: Int32
  /// An unnamed copy of an input that is not a file.
  private let copy: UnsafeMutablePointer<FILE>?

  /// - Parameters:
  ///   - head: the first compressed bytes.
  ///   - file: the descriptor of the file that they came from; nil for data in memory.
  ///   - size: the size of the file, if it is known.
  ///   - receive: reads more compressed bytes; none at the end.
  /// - Throws: `Fault`, and the errors of `receive`.
  init(
    _ compression: Compression, _ head: [UInt8], file: Int32?, size: Int?,
    receive: @escaping () throws -> [UInt8]
  ) throws {
    limit = size.map(Self.limit) ?? .max
    guard let program = compression.program else {
      decoder = .gzip(GzipDecoder(head, receive: receive))
      (self.file, copy) = (-1, nil)
      return
    }
    var input = file ?? -1
    var copy: UnsafeMutablePointer<FILE>?
    if input < 0 || lseek(input, 0, SEEK_SET) != 0 {
      copy = try Self.copy(head, receive)
      input = copy.map(fileno) ?? -1
    }
    (self.file, self.copy) = (input, copy)
    do {
      decoder = .program(try ProgramDecoder(program, input: input))
    } catch {
      if let copy { fclose(copy) }
      throw error
    }
  }

  deinit {
    if let copy { fclose(copy) }
  }

  /// The number of compressed bytes that were read.
  var place: Int {
    switch decoder {
    case .gzip(let gzip): gzip.receivedCount
    case .program: max(0, Int(lseek(file, 0, SEEK_CUR)))
    }
  }

  /// Decodes the next bytes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  /// - Throws: `Fault`, and the errors of receiving.
  func decode(into buffer: UnsafeMutableBufferPointer<UInt8>) throws -> Int {
    let decoded =
      switch decoder {
      case .gzip(let gzip): try gzip.decode(into: buffer)
      case .program(let program): try program.decode(into: buffer)
      }
    count += decoded
    guard count <= limit else { throw Fault.tooLong }
    return decoded
  }

  /// The most bytes that a compressed file may become.
  static func limit(ofSize size: Int) -> Int {
    let (product, isTooMuch) = size.multipliedReportingOverflow(by: mostTimes)
    return isTooMuch ? .max : max(leastLimit, product)
  }

  /// Copies the input to a file that a program can read.
  private static func copy(
    _ head: [UInt8], _ receive: () throws -> [UInt8]
  ) throws -> UnsafeMutablePointer<FILE> {
    guard let file = tmpfile() else { throw Fault(reason: String(cString: strerror(errno))) }
    do {
      var bytes = head
      while !bytes.isEmpty {
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
          throw Fault(reason: String(cString: strerror(errno)))
        }
        bytes = try receive()
      }
    } catch {
      fclose(file)
      throw error
    }
    fflush(file)
    rewind(file)
    return file
  }
}
