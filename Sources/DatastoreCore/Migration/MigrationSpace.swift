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
    var text = "about \(MigrationText.bytes(logBytes)) for the log"
    if copyBytes > 0 {
      text += " and \(MigrationText.bytes(copyBytes)) for the copy of the old file"
    }
    if isEnough(times: 10) { return text }
    if let freeBytesForCopy {
      text += " (on another disk, of \(MigrationText.bytes(freeBytesForCopy)) that are free there)"
    }
    if let freeBytes { text += ", of \(MigrationText.bytes(freeBytes)) that are free" }
    return text
  }
}

extension MigrationText {
  /// `512 bytes`, `1.5 MB`: at most one decimal, in powers of 1,000, as disks are sold.
  static func bytes(_ count: Int) -> String {
    if count < 1000 { return CountText.counted(count, "byte") }
    var tenths = count / 100
    var unit = 0
    let units = ["kB", "MB", "GB", "TB"]
    while tenths >= 10_000, unit < units.count - 1 {
      tenths /= 1000
      unit += 1
    }
    let fraction = tenths % 10
    let whole = CountText.grouped(tenths / 10)
    return "\(whole)\(fraction == 0 || tenths >= 1000 ? "" : ".\(fraction)") \(units[unit])"
  }
}
