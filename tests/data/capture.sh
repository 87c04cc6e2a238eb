#!/bin/sh
# Makes the profiles in real/ from real programs: a TypeScript compile, a
# bundler, a linter, a server under load. Needs node and npm; installs into a
# temporary folder whose path is replaced by /home/app. A capture that is not
# under 1 MB is made again with twice the interval.
#
# Use: capture.sh   (writes real/ beside itself; values differ each time)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
max_bytes=1000000
mkdir -p "$here/real" "$work/out"

npm install --prefix "$work" --no-save --no-audit --no-fund --silent \
	typescript@5.4.5 rxjs@7.8.1 webpack@5.91.0 webpack-cli@5.1.4 \
	lodash-es@4.17.21 eslint@8.57.0

cat >"$work/tsconfig.json" <<'END'
{"compilerOptions": {"noEmit": true, "strict": true, "target": "es2020",
 "module": "commonjs", "moduleResolution": "node", "lib": ["es2020"],
 "types": []},
 "include": ["node_modules/rxjs/src/internal/scheduler/*.ts"]}
END
cat >"$work/entry.js" <<'END'
import * as lodash from 'lodash-es';
import * as rxjs from 'rxjs';
console.log(Object.keys(lodash).length, Object.keys(rxjs).length);
END
cat >"$work/eslintrc.json" <<'END'
{"root": true, "extends": "eslint:recommended",
 "parserOptions": {"ecmaVersion": 2022, "sourceType": "module"},
 "env": {"node": true, "es2022": true}}
END
cp "$here/server.mjs" "$work/server.mjs"
cp -r "$work/node_modules/webpack/lib" "$work/source"

# capture cpu|heap NAME INTERVAL PROGRAM ARGUMENT…
capture() {
	kind=$1 name=$2 interval=$3
	shift 3
	file="$work/out/$name.${kind}profile"
	while :; do
		(cd "$work" && node "--$kind-prof" "--$kind-prof-dir=$work/out" \
			"--$kind-prof-name=$name.${kind}profile" \
			"--$kind-prof-interval=$interval" "$@" >/dev/null) || true
		size=$(wc -c <"$file")
		[ "$size" -ge "$max_bytes" ] || break
		interval=$((interval * 2))
		[ "$interval" -le 10000000 ] || exit 1
	done
	sed "s|$work|/home/app|g" "$file" >"$here/real/$name.${kind}profile"
	echo "$name.${kind}profile: interval $interval, $size bytes"
}

bin="$work/node_modules"
for kind in cpu heap; do
	[ $kind = cpu ] && fine=2000 coarse=100 || fine=65536 coarse=16384
	capture $kind typescript $fine "$bin/typescript/lib/tsc.js" \
		-p tsconfig.json
	capture $kind webpack $fine "$bin/webpack/bin/webpack.js" \
		--mode production --entry ./entry.js --output-path "$work/dist"
	capture $kind eslint $fine "$bin/eslint/bin/eslint.js" \
		--no-eslintrc -c eslintrc.json source/optimize source/util
	capture $kind server $coarse server.mjs
done
