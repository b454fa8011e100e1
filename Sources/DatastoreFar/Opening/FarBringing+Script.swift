/// The script of the shell there. It writes lines as `FarShell` expects them, and needs only what every Linux
/// has: a POSIX shell and `/proc`.
extension FarBringing {
  /// - Parameter size: the size of the program in bytes.
  static func script(size: Int) -> String {
    """
    {
    umask 077
    say() { printf 'datastore: %s\\n' "$*" || exit 1; }
    say begins
    say system "$(uname -sm)"
    for tool in sha256sum shasum cksum zstd gzip; do
      command -v "$tool" > /dev/null 2>&1 && say has "$tool"
    done
    found=
    \(FarShell.places)
      folder=$(mktemp -d "$place/datastore.XXXXXXXX" 2> /dev/null) || { say passes readonly "$place"; continue; }
      trap 'rm -rf "$folder"; exit 1' HUP INT PIPE TERM
      # The file is opened before its name goes, and is empty until then.
      { : > "$folder/datastore"; } 2> /dev/null && chmod 700 "$folder/datastore" && exec 3< "$folder/datastore" \\
        || { rm -rf "$folder"; say passes readonly "$place"; continue; }
      rm -rf "$folder"
      trap - HUP INT PIPE TERM
      is_free \(size / 1024) || { say passes small "$place"; continue; }
      printf '#!/bin/sh\\nexit 7\\n' > /proc/self/fd/3
      /proc/self/fd/3 2> /dev/null
      [ $? = 7 ] || { say passes noexec "$place"; continue; }
      found=yes
      break
    done
    [ "$found" ] || { say nowhere; exit 1; }
    say ready "$$"
    read -r sum packer length || exit 1
    case $packer in
      zstd) head -c "$length" | zstd -dcq ;;
      gzip) head -c "$length" | gzip -dc ;;
      *) head -c "$length" ;;
    esac > /proc/self/fd/3 || exit 1
    case $sum in
      sha256sum) sum=$(sha256sum < /proc/self/fd/3) ;;
      shasum) sum=$(shasum -a 256 < /proc/self/fd/3) ;;
      *) sum=$(cksum < /proc/self/fd/3) ;;
    esac
    say sum "$sum"
    # What is left of a program that was not read to its end is no word to run it.
    read -r go || exit 1
    [ "$go" = "run $sum" ] || exit 1
    said=$(/proc/self/fd/3 --version 2>&1 > /dev/null < /dev/null) || { say fails "$said"; exit 1; }
    say runs
    # Who starts further programs of this file knows this shell by its number.
    read -r end
    exit 0
    }

    """
  }
}

extension FarShell {
  /// The beginning of a loop over the temporary folders of a machine; the last one is for machines that allow
  /// no programs to run in `/tmp`. In the loop, `is_free` succeeds if the disk has that many kilobytes free,
  /// or does not report it.
  static let places = """
    is_free() {
      free=$(df -Pk "$place" 2> /dev/null | { read -r line; read -r disk all used free more; echo "$free"; })
      case $free in
        '' | *[!0-9]*) return 0 ;;
      esac
      [ "$free" -ge "$1" ]
    }
    for place in "${TMPDIR:-/tmp}" /tmp "$XDG_RUNTIME_DIR" "$HOME/.cache" /var/tmp; do
      [ -d "$place" ] || continue
    """
}
