import ArgumentParser

/// The script that a shell reads to complete command lines. Without a command, a line is completed as one of
/// `browse`, which the scripts of swift-argument-parser do not support.
struct CompletionScript {
  let text: String

  /// nil unless the arguments ask for a script.
  init?(_ arguments: [String]) {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script",
      let shell = CompletionShell(rawValue: arguments[1])
    else { return nil }
    let script = Datastore.completionScript(for: shell)
    let commands = (Datastore.commandNames + ["help"]).joined(separator: "|")
    text =
      switch shell {
      case .bash: Self.bash(script, commands)
      case .zsh: Self.zsh(script)
      default: script + Self.fish
      }
  }

  private static func bash(_ script: String, _ commands: String) -> String {
    replacing("complete -o filenames -F _datastore datastore", in: script) {
      _ in
      #"""
      # Whether the cursor is within quotes.
      __datastore_is_within_quotes() {
          local character quote=''
          local -i place
          for ((place = 0; place < COMP_POINT; place++)); do
              character="${COMP_LINE:place:1}"
              if [[ "${character}" == '\' && "${quote}" != "'" ]]; then
                  ((place++))
              elif [[ -z "${quote}" && ("${character}" == "'" || "${character}" == '"') ]]; then
                  quote="${character}"
              elif [[ "${character}" == "${quote}" ]]; then
                  quote=''
              fi
          done
          [[ -n "${quote}" ]]
      }

      # Puts a backslash before each character of ${completion} that means something to the shell.
      __datastore_quote_completion() {
          local -r word="${completion}" special=$' !"#$&\'()*:;<=>?@[\\]^`{|}~'
          local character
          local -i place
          completion=''
          for ((place = 0; place < ${#word}; place++)); do
              character="${word:place:1}"
              [[ "${special}" == *"${character}"* ]] && completion+='\'
              completion+="${character}"
          done
      }

      # Outside quotes, readline leaves ` and $ in words that are not files: the shell would run names
      # that a file contains. So they are quoted here, or not offered where that cannot be (bash 3).
      __datastore_add_completions() {
          local completion quoting=none
          if [[ "${1}" == -W ]] && ! __datastore_is_within_quotes; then
              if compopt +o filenames 2>/dev/null; then quoting=here; else quoting=readline; fi
          fi
          while IFS='' read -r completion; do
              case "${quoting}" in
              here) __datastore_quote_completion ;;
              readline) [[ "${completion}" == *['`$']* ]] && continue ;;
              esac
              COMPREPLY+=("${completion}")
          done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
      }

      # Without a command, the words are those of browse.
      _datastore_or_browse() {
          case "${COMP_WORDS[1]}" in
          \#(commands)) ;;
          *)
              if [[ "${COMP_CWORD}" -eq 1 && "${2}" != -* ]]; then
                  _datastore "${@}"
                  local file
                  while IFS='' read -r file; do
                      COMPREPLY+=("${file}")
                  done < <(compgen -f -- "${2}")
                  return
              fi
              local -a words=("${COMP_WORDS[0]}" browse "${COMP_WORDS[@]:1}")
              local -a COMP_WORDS=("${words[@]}")
              local line="${COMP_LINE/ / browse }"
              local COMP_LINE="${line}"
              local -i number="$((COMP_CWORD + 1))" point="$((COMP_POINT + 7))"
              local -i COMP_CWORD="${number}" COMP_POINT="${point}"
              ;;
          esac
          _datastore "${@}"
      }

      complete -o filenames -F _datastore_or_browse datastore
      """#
    }
  }

  private static func zsh(_ script: String) -> String {
    let files = replacing("        _describe -V subcommand subcommands && ret=0\n", in: script) {
      $0 + "        _files && ret=0\n"
    }
    return replacing("            \"_datastore_${words[1]}\" && ret=0\n            ;;\n", in: files)
    {
      $0 + """
                    *)
                        words=(browse "${words[@]}")
                        ((CURRENT++))
                        _datastore_browse && ret=0
                        ;;

        """
    }
  }

  private static let fish = """

    # Without a command, files are browsed.
    complete -c 'datastore' -n '__datastore_should_offer_completions_for_positional "datastore" -eq 1' -F
    """

  private static func replacing(
    _ part: String, in script: String, _ replacement: (String) -> String
  ) -> String {
    guard let range = script.firstRange(of: part) else { return script }
    return String(script[..<range.lowerBound]) + replacement(part) + script[range.upperBound...]
  }
}
