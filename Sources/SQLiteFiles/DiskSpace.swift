import Glibc

/// The free space on the disk of a folder.
package struct DiskSpace: Sendable, Hashable {
  /// The identity of the disk: two folders with equal ones share its free space.
  package let device: UInt64
  /// The space available to this user.
  package let freeBytes: Int

  package init(device: UInt64, freeBytes: Int) {
    self.device = device
    self.freeBytes = freeBytes
  }

  /// nil when the folder does not exist, or its file system does not tell.
  package init?(of folder: String) {
    var status = stat()
    var system = statvfs()
    guard stat(folder, &status) == 0, statvfs(folder, &system) == 0, system.f_blocks > 0 else {
      return nil
    }
    device = UInt64(status.st_dev)
    let (bytes, isHuge) = UInt64(system.f_bavail)
      .multipliedReportingOverflow(by: UInt64(system.f_frsize))
    freeBytes = isHuge ? .max : Int(clamping: bytes)
  }
}
