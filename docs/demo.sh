#!/bin/sh
# What `make demo` shows: ten days of notes become a memory. No model, no key, no network.
set -eu
vault=${1:-demo-vault}
mark=.made-by-make-demo # a file in the vault, which says that it may be made anew

# a setting of the person who looks on would change what is shown, and REME_VAULT would have their own vault dreamed
for name in $(env | sed -n 's/^\(REME_[A-Za-z0-9_]*\)=.*/\1/p'); do unset "$name"; done

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then bold='\033[1m' plain='\033[0m'; else bold='' plain=''; fi
say() { printf "\n$bold== %s$plain\n" "$1"; }
run() {
  printf '\n$'
  for word; do case $word in *' '*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac; done
  printf '\n'
  "$@"
}

if [ -e "$vault/$mark" ]; then
  rm -rf -- "$vault"
elif [ -e "$vault" ] && [ -n "$(ls -A -- "$vault")" ]; then
  echo "$vault is there already, and was not made by this demo: move it away, or run 'sh docs/demo.sh FOLDER'" >&2
  exit 1
fi

say "A vault with ten days of sample notes, in English and Chinese"
run reme init "$vault" --demo
cd -- "$vault"
: >"$mark"

say "Distil them into long-term memory, without a model"
run reme auto_dream date=2026-06-11..2026-06-20 engine=extractive

say "The memory: one idea to a note"
run find digest -name '*.md' | sort

say "One of them whole"
# a note that auto_dream wrote, as the audit tells, with several sources
note=$(reme log --json limit=1 | sed -n 's/^ *"\(digest\/.*\.md\)",*$/\1/p' | while read -r path; do
  printf '%s %s\n' "$(grep -c 'derived_from::' "$path")" "$path"
done | sort -k1,1nr -k2 | head -n 1 | cut -d ' ' -f 2-)
run cat "$note"

say "Where it came from"
run reme graph-query "$note"

say "What deserves attention"
day=$(find daily -name interests.yaml | sort | tail -n 1 | cut -d / -f 2)
run reme proactive "date=${day:-2026-06-20}"

say "Find it again"
run reme search "token rotation" limit=3
run reme search 网关 limit=3

say "What was written; 'reme undo' takes all of it back"
run reme log

say "Now with a model"
cat <<TEXT

  . .venv/bin/activate                         or 'pip install .', anywhere
  export OPENAI_API_KEY=…                      the key of any provider that litellm knows
  export REME_LLM__MODEL=openai/gpt-5-mini     or anthropic/…, ollama_chat/…, openrouter/…
  reme init memory --demo                      the same ten days, not dreamed yet
  cd memory
  reme auto_dream date=2026-06-11..2026-06-20

docs/models.md tells more about models and what they cost. The vault of this demo is $vault;
look around in it, but keep nothing there: the next 'make demo' makes it anew.
TEXT
