import DatastoreTestSupport
import Foundation
import Testing

@testable import DatastoreImport

/// What a file is written in is told from all the evidence at its beginning.
@Suite("Encodings told by their evidence")
struct EncodingDetectionTests {
  private static let lines = [
    "Müller, Straße 5, schön größer übel", "Élève à l’école, garçon naïf, où ça",
    "niño año señor, ¿qué?", "Åse Øster, blåbær på ønsket", "coração, João, à noite",
  ]

  private static func bytes(_ text: String, _ encoding: TextEncoding) -> [UInt8] {
    guard let upperHalf = encoding.upperHalf else { return Array(text.utf8) }
    return text.unicodeScalars.compactMap { scalar in
      scalar.isASCII
        ? UInt8(scalar.value) : upperHalf.firstIndex(of: scalar).map { UInt8($0 + 0x80) }
    }
  }

  private static func detect(_ bytes: [UInt8], isWhole: Bool = true) -> TextEncoding {
    bytes.withUnsafeBufferPointer { TextEncoding.detect($0, isWhole: isWhole).encoding }
  }

  private static func names(_ bytes: [UInt8]) throws -> [ImportValue?] {
    var reader = try ByteInput(bytes, name: "t.csv").makeReader()
    var names: [ImportValue?] = []
    while let record = try reader.next() { names.append(record.fields.last?.value) }
    return names
  }

  @Test(
    "Words of several languages are told apart",
    arguments: [TextEncoding.utf8, .windows1252, .macRoman])
  func languages(encoding: TextEncoding) throws {
    for line in Self.lines {
      #expect(Self.detect(Self.bytes("id,name\n1,\"\(line)\"\n", encoding)) == encoding, "\(line)")
      #expect(
        try Self.names(Self.bytes("id,name\n1,\"\(line)\"\n", encoding)) == [.text(line)])
    }
  }

  @Test("The tables are those of the iconv program")
  func tables() throws {
    for (encoding, name) in [(TextEncoding.windows1252, "CP1252"), (.macRoman, "MACINTOSH")] {
      let upperHalf = try #require(encoding.upperHalf)
      #expect(upperHalf.count == 128)
      // Bytes that have no character, and two that others map to characters that look alike.
      let others: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D, 0xC6, 0xF0]
      let bytes = (0x80...0xFF as ClosedRange<UInt8>).filter {
        encoding == .macRoman || !others.contains($0)
      }
      let directory = try TemporaryDirectory()
      let input = directory.url.appending(path: "input")
      try Data(bytes).write(to: input)
      let output = directory.url.appending(path: "output")
      let status = try spawn(
        "/usr/bin/env", ["iconv", "-f", name, "-t", "UTF-8", input.path], output: output)
      #expect(status == 0)
      let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
      #expect(text.unicodeScalars.count == bytes.count)
      for (byte, scalar) in zip(bytes, text.unicodeScalars) where byte != 0xC6 && byte != 0xF0 {
        #expect(upperHalf[Int(byte) - 0x80] == scalar, "\(name) \(byte)")
      }
    }
  }

  @Test("One sequence that is UTF-8 by accident does not make a file UTF-8")
  func accident() throws {
    // “Ã©” in Windows-1252 is “é” in UTF-8.
    var bytes = Self.bytes("name\nCAFÃ©\n", .windows1252)
    for index in 0..<40 { bytes += Self.bytes("M\u{FC}ller \(index)\n", .windows1252) }
    #expect(Self.detect(bytes) == .windows1252)
    #expect(try Self.names(bytes).last == .text("Müller 39"))
    #expect(try Self.names(bytes).first == .text("CAFÃ©"))
  }

  @Test("A few bad bytes in UTF-8 stay a fault, and the sentence names the encodings")
  func damaged() throws {
    var bytes: [UInt8] = Array("id,name\n".utf8)
    for index in 0..<40 { bytes += Array("\(index),Zoë\n".utf8) }
    bytes += [0x31, 0x2C, 0xE9, 0x0A]
    #expect(Self.detect(bytes) == .utf8)
    do {
      _ = try Self.names(bytes)
      Issue.record("the fault was read")
    } catch {
      #expect("\(error)".contains("t.csv, line 42, column 3"), "\(error)")
      #expect(
        "\(error)".contains("--encoding (utf-8, utf-16le, utf-16be, windows-1252, mac-roman)"),
        "\(error)")
    }
  }

  @Test("A character that is cut at the end of what is looked at is no evidence", arguments: 1...3)
  func cut(length: Int) {
    let bytes = Array(Array("name\n€€€ 👩".utf8).dropLast(length))
    #expect(Self.detect(bytes, isWhole: false) == .utf8)
    let one = Array(Array("name\nab👩".utf8).dropLast(length))
    #expect(Self.detect(one, isWhole: false) == .utf8)
    #expect(Self.detect(one, isWhole: true) == .windows1252)
  }

  @Test("What stands behind the first 64 kB counts")
  func late() throws {
    let bytes =
      Array("name\n".utf8)
      + Array(String(repeating: "Mueller\n", count: 12_000).utf8)
      + Self.bytes("Müller\n", .windows1252)
    #expect(try Self.names(bytes).last == .text("Müller"))
  }
}
