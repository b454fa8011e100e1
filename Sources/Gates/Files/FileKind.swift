/// The kinds of files, and of other data, that their first bytes tell.
package enum FileKind {
  private static let zip = "zip archive"
  private static let excel = "Excel workbook"
  private static let openDocument = "OpenDocument spreadsheet"
  private static let oldOffice = "old or encrypted Office document"
  private static let parquet = "Parquet file"

  /// The first bytes of well-known formats.
  private static let signatures: [(bytes: [UInt8], kind: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "PNG image"), ([0xFF, 0xD8, 0xFF], "JPEG image"),
    (Array("GIF8".utf8), "GIF image"), (Array("%PDF".utf8), "PDF"),
    ([0x50, 0x4B, 0x03, 0x04], zip), ([0x1F, 0x8B], "gzip data"),
    (Array("SQLite format 3".utf8), "SQLite file"),
    (Array("bplist".utf8), "property list"), (Array("BM".utf8), "BMP image"),
    ([0x49, 0x49, 0x2A, 0x00], "TIFF image"), ([0x4D, 0x4D, 0x00, 0x2A], "TIFF image"),
    (Array("ID3".utf8), "MP3 audio"), (Array("OggS".utf8), "Ogg media"),
    (Array("fLaC".utf8), "FLAC audio"), ([0x1A, 0x45, 0xDF, 0xA3], "Matroska video"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd data"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data"),
    (Array("BZh".utf8), "bzip2 data"), ([0x37, 0x7A, 0xBC, 0xAF], "7z archive"),
    ([0x7F, 0x45, 0x4C, 0x46], "ELF program"), (Array("wOF2".utf8), "web font"),
    ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], oldOffice),
    // With the first byte of what follows, since a text may begin with the letters.
    (Array("PAR1\u{15}".utf8), parquet),
  ]

  /// The kind of data that begins like this, such as “PNG image”; nil if it is not well known.
  package static func name(of head: some Collection<UInt8>) -> String? {
    // Microsoft's containers and those of ISO media name their content after a length.
    let name = head.dropFirst(8).prefix(4)
    if head.starts(with: Array("RIFF".utf8)) {
      return name.elementsEqual(Array("WEBP".utf8)) ? "WebP image" : "RIFF media"
    }
    if head.dropFirst(4).starts(with: Array("ftyp".utf8)) {
      return name.elementsEqual(Array("avif".utf8)) ? "AVIF image" : "MP4 media"
    }
    guard let found = signatures.first(where: { head.starts(with: $0.bytes) }) else { return nil }
    return found.kind == zip ? kind(ofArchive: Array(head.prefix(4096))) : found.kind
  }

  /// The kind of an archive by the names of its first members.
  private static func kind(ofArchive head: [UInt8]) -> String {
    let member = head.dropFirst(30)
    let type = "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
    if member.starts(with: Array(type.utf8)) { return openDocument }
    let isOffice = ["[Content_Types].xml", "_rels/", "docProps/", "xl/"]
      .contains { member.starts(with: Array($0.utf8)) }
    let sheets = Array("xl/".utf8)
    return isOffice && head.indices.contains { head[$0...].starts(with: sheets) } ? excel : zip
  }

  /// What a file with tables is, and how they are read, as the end of a sentence; nil for other kinds, and
  /// for text.
  package static func reason(ofTablesIn head: some Collection<UInt8>) -> String? {
    func isNamed(_ end: String) -> String { "which is read from a file whose name ends in \(end)" }
    guard let kind = name(of: head) else { return nil }
    switch kind {
    case zip: return "it is a zip archive, \(isNamed(".zip"))"
    case excel: return "it is an Excel workbook, \(isNamed(".xlsx"))"
    case parquet: return "it is a Parquet file, \(isNamed(".parquet"))"
    case openDocument: return "it is an OpenDocument spreadsheet; save it as .xlsx or .csv"
    case oldOffice:
      return "it is encrypted, or of an Office before 2007; save it as .xlsx without a password"
    default: return nil
    }
  }
}
