import DatastoreCore
import Foundation

/// A copy of a file at the other end of a line, which the `sqlite3` there makes, for machines on which no
/// `datastore` can run: a file of one moment, also while others write.
///
/// The copy lies in a private folder there until it is complete, and without a name while it is sent.
package struct FarCopying: Sendable {
  private var shell: FarShell
  /// About how long the copy will be: as the file and what was not yet written into it.
  package let byteCount: Int

  /// More than any header; see <https://sqlite.org/fileformat.html>.
  private static let header = Array("SQLite format 3\0".utf8)
  /// A file may grow between the question and the copy.
  private static let growth = 64 << 20
  /// Seconds that a copy may take.
  private static let mostSeconds = 3600.0

  /// Asks how long it will be. Must be followed by `close()`.
  ///
  /// - Parameter patience: how many seconds each answer may take; a password is perhaps asked for before the
  ///   first.
  /// - Throws: `StoreError` with what is in the way.
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

  /// Has the copy made and sent.
  ///
  /// - Parameters:
  ///   - most: how many bytes there is room for here.
  ///   - progress: is told how many bytes have come, and of how many.
  ///   - write: takes the copy, part by part.
  /// - Throws: `StoreError`; what `write` throws.
  package mutating func fetch(
    most: Int, progress: (_ received: Int, _ total: Int) -> Void = { _, _ in },
    write: ([UInt8]) throws -> Void
  ) throws {
    try shell.send(line: "go")
    let size = try awaitCopy()
    // A far end does not fill the disk of this one.
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

  /// - Returns: how many bytes follow.
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

  /// What the shell there runs; its argument is the path of the file.
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
