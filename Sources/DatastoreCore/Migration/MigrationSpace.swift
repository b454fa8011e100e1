import Basics

/// The disk space that a migration needs, and the free space.
///
/// A migration is refused if there is certainly no room for its copy and rows
/// (`MigrationObstacle.notEnoughSpace`). If the disk fills up anyway, everything is rolled back.
public struct MigrationSpace: Sendable, Hashable {
  /// The approximate size of the log beside the file before everything is committed: that of the tables whose
  /// rows are written.
  public let logBytes: Int
  /// The size of the copy of the old file; 0 if none is kept.
  public let copyBytes: Int
  /// The free bytes beside the file; nil if the file system does not tell.
  public let freeBytes: Int?
  /// The free bytes at the place of the copy, if that is another disk; nil otherwise.
  public let freeBytesForCopy: Int?

  package init(
    logBytes: Int, copyBytes: Int = 0, freeBytes: Int? = nil, freeBytesForCopy: Int? = nil
  ) {
    self.logBytes = logBytes
    self.copyBytes = copyBytes
    self.freeBytes = freeBytes
    self.freeBytesForCopy = freeBytesForCopy
  }

  /// Whether there seems to be room for both; true if the file system does not tell.
  public var isEnough: Bool { isEnough(times: 1) }

  private func isEnough(times factor: Int) -> Bool {
    let beside = (logBytes + (freeBytesForCopy == nil ? copyBytes : 0)) * factor
    return beside <= freeBytes ?? .max && copyBytes * factor <= freeBytesForCopy ?? .max
  }
}

extension MigrationSpace: CustomStringConvertible {
  /// `about 120 MB for the log and 95 MB for the copy of the old file, of 420 MB that are free`. Leaves out
  /// the free space if it is ten times as much.
  public var description: String {
    var text = "about \(CountText.bytes(logBytes)) for the log"
    if copyBytes > 0 {
      text += " and \(CountText.bytes(copyBytes)) for the copy of the old file"
    }
    if isEnough(times: 10) { return text }
    if let freeBytesForCopy {
      text += " (on another disk, of \(CountText.bytes(freeBytesForCopy)) that are free there)"
    }
    if let freeBytes { text += ", of \(CountText.bytes(freeBytes)) that are free" }
    return text
  }
}
