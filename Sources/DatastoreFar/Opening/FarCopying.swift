import DatastoreCore
import Foundation

/// A copy of a file at the other end of a line, for machines on which no `datastore` can run. The `sqlite3`
/// there makes it: a consistent state of one moment, even while others write.
///
/// The copy is in a private folder there until it is complete, and has no name while it is sent.
package struct FarCopying: Sendable {
  private var shell: FarShell
  /// The approximate size of the copy: that of the file and its write-ahead log.
  package let byteCount: Int

  /// The start of every SQLite file; see <https://sqlite.org/fileformat.html>.
  private static let header = Array("SQLite format 3\0".utf8)
  /// The growth of the file that is allowed between measuring and copying.
  private static let growth = 64 << 20
  /// The greatest time for a copy, in seconds.
  private static let mostSeconds = 3600.0

  /// Connects and asks for the size. The caller must call `close()`.
  ///
  /// - Parameter patience: the greatest time for each answer, in seconds; the first may include entering a
  ///   password.
  /// - Throws: `StoreError` with the obstacle.
  package init(of address: FarAddress, patience: Double = 120) throws {
    shell = try FarShell(
      address.shell(), named: address.name, running: Self.script, patience: patience)
    do {
      byteCount = try Self.size(&shell)
    } catch {
      shell.close()
      throw error
    }
  }

  package func close() { shell.close() }

  private static func size(_ shell: inout FarShell) throws -> Int {
    for _ in 0..<100 {
      let answer = try shell.answer()
      switch answer.word {
      case "begins": continue
      case "lacks":
        throw shell.failure(
          "neither datastore nor sqlite3 is installed there; install one of them, or copy the file "
            + "and what lies beside it while nobody writes")
      case "unreadable": throw shell.failure("the file there cannot be read")
      case "size":
        if let size = Int(answer.text), (0...(1 << 47)).contains(size) { return size }
      default: break
      }
      break
    }
    throw shell.failure("what answers there is no shell")
  }

  /// Makes the copy and receives it.
  ///
  /// - Parameters:
  ///   - most: the number of bytes that there is room for here.
  ///   - progress: receives the numbers of received bytes and of all bytes.
  ///   - write: receives the copy, part by part.
  /// - Throws: `StoreError`; errors of `write`.
  package mutating func fetch(
    most: Int, progress: (_ received: Int, _ total: Int) -> Void = { _, _ in },
    write: ([UInt8]) throws -> Void
  ) throws {
    try shell.send(line: "go")
    let size = try awaitCopy()
    // A far end must not fill the disk of this machine.
    guard size <= 2 * byteCount + Self.growth else {
      throw shell.failure("the copy has \(size) bytes, and the file had \(byteCount)")
    }
    guard size <= most else {
      throw shell.failure("the copy has \(size) bytes, and there is room for \(most) here")
    }
    var received = 0
    let other = shell.failure("what came from there is no SQLite file")
    try shell.take(size) { part in
      if received == 0, !part.starts(with: Self.header) { throw other }
      received += part.count
      try write(part)
      progress(received, size)
    }
  }

  /// - Returns: the number of bytes that follow.
  private mutating func awaitCopy() throws -> Int {
    let end = Date() + Self.mostSeconds
    while Date() < end {
      let answer = try shell.answer()
      switch answer.word {
      case "waits": continue
      case "nowhere":
        throw shell.failure("no temporary folder there has room for the copy; set TMPDIR there")
      case "fails": throw shell.failure("the sqlite3 there made no copy of it")
      case "copy":
        if let size = Int(answer.text), size >= Self.header.count { return size }
      default: break
      }
      throw shell.failure("what answers there is no shell")
    }
    throw shell.failure("the copy was not made in an hour")
  }

  /// The script of the shell there; its argument is the path of the file.
  private static let script = """
    {
    umask 077
    say() { printf 'datastore: %s\\n' "$*" || exit 1; }
    say begins
    case $1 in
      /*) file=$1 ;;
      *) file=./$1 ;;
    esac
    command -v sqlite3 > /dev/null 2>&1 || { say lacks; exit 1; }
    bytes=$(wc -c < "$file") || { say unreadable; exit 1; }
    if [ -f "$file-wal" ]; then bytes=$((bytes + $(wc -c < "$file-wal"))); fi
    say size $bytes
    read -r go || exit 1
    [ "$go" = go ] || exit 1
    folder=
    \(FarShell.places)
      is_free $((bytes / 1024)) || continue
      folder=$(mktemp -d "$place/datastore.XXXXXXXX" 2> /dev/null) && break
    done
    [ "$folder" ] || { say nowhere; exit 1; }
    job=
    trap '[ -z "$job" ] || kill "$job" 2> /dev/null; rm -rf "$folder"' EXIT
    trap 'exit 1' HUP INT PIPE TERM
    sqlite3 -batch -init /dev/null -readonly -cmd '.timeout 10000' "$file" ".backup '$folder/copy'" >&2 < /dev/null &
    job=$!
    while kill -0 "$job" 2> /dev/null; do
      say waits
      sleep 0.1 2> /dev/null || sleep 1
    done
    wait "$job" && [ -s "$folder/copy" ] || { say fails; exit 1; }
    job=
    exec 3< "$folder/copy"
    rm -rf "$folder"
    say copy $(wc -c < /proc/self/fd/3)
    cat <&3
    exit 0
    }

    """
}
