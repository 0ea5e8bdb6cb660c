#!/bin/sh
# What `make demo` shows: ten days of notes become a memory. No model, no key, no network.
set -eu
vault=${1:-demo-vault}

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold='\033[1m' plain='\033[0m'; else bold='' plain=''; fi
say() { printf "\n$bold== %s$plain\n" "$1"; }
run() { printf '\n$ %s\n' "$*"; "$@"; }

rm -rf "$vault"
say "A vault with ten days of sample notes, in English and Chinese"
run reme init "$vault" --demo
cd "$vault"

say "Distil them into long-term memory, without a model"
run reme auto_dream date=2026-06-11..2026-06-20 engine=extractive

say "The memory: one idea to a note"
printf '\n$ find digest -name "*.md"\n'
find digest -name '*.md' | sort

say "One of them whole"
# a note that auto_dream wrote, as the audit tells, with several sources
note=$(reme log --json limit=1 | sed -n 's/^ *"\(digest\/.*\.md\)",*$/\1/p' | while read -r path; do
  printf '%s %s\n' "$(grep -c 'derived_from::' "$path")" "$path"
done | sort -k1,1nr -k2 | head -n 1 | cut -d ' ' -f 2-)
run cat "$note"

say "What deserves attention"
day=$(find daily -name interests.yaml | sort | tail -n 1 | cut -d / -f 2)
run reme proactive "date=${day:-2026-06-20}"

say "Find it again"
run reme search "token rotation" limit=3
run reme search 网关 limit=3

say "Where it came from"
run reme graph-query "$note"

say "What was written; all of it can be taken back with 'reme undo'"
run reme log

say "Now with a model"
cat <<'TEXT'

  export OPENAI_API_KEY=…                      the key of any provider that litellm knows
  export REME_LLM__MODEL=openai/gpt-5-mini     or anthropic/…, ollama/…, openrouter/…
  reme auto_dream date=today

The demo vault is yours to try things in; docs/models.md tells more about models.
TEXT
