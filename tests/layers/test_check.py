"""Every layer rule can fail: each is shown one bad tree, and a good one."""

import os
import subprocess
import tempfile
import unittest

import check

GOOD = {
    "README.md": "extractd\n",
    ".gitignore": "/build/\n",
    "proto/frame.h": "#include <stdint.h>\n",
    "proto/frame.c": '#include "proto/frame.h"\n',
    "broker/supervisor/pool.c": '#include "broker/supervisor/pool.h"\n'
                                '#include "proto/frame.h"\n',
    "broker/front/server.c": "#include <zmq.h>\n#include <yajl/yajl_gen.h>\n",
    "worker/json/stream.c": '#include "worker/json/stream.h"\n',
    "client/connect.c": "#include <zmq.h>\n",
    "tests/data/real/a.cpuprofile": "a sample: TO" "DO\n",
}


class SourceRules(unittest.TestCase):
    def complaints(self, extra):
        with tempfile.TemporaryDirectory() as top:
            for name, text in {**GOOD, **extra}.items():
                path = os.path.join(top, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            return {rule.__name__ for rule in check.SOURCE_RULES
                    if list(rule(top))}

    def fails(self, rule, name, text):
        self.assertIn(rule, self.complaints({name: text}))

    def test_good_tree_passes(self):
        self.assertEqual(self.complaints({}), set())

    def test_every_rule_is_tried(self):
        with open(__file__, encoding="utf-8") as f:
            text = f.read()
        for rule in check.SOURCE_RULES + check.BUILD_RULES:
            self.assertIn(f'"{rule.__name__}"', text)

    def test_layers(self):
        rule = "layers_know_only_proto"
        for name, include in (
                ("proto/a.c", "worker/arena.h"),
                ("proto/a.def", "client/connect.h"),
                ("proto/a.c", "frame.h"),
                ("broker/supervisor/a.c", "broker/front/relay.h"),
                ("broker/front/a.c", "broker/supervisor/jobs.h"),
                ("broker/supervisor/a.c", "broker/shared.h"),
                ("broker/front/a.h", "client/connect.h"),
                ("worker/a.c", "broker/front/relay.h"),
                ("worker/formats/a.c", "client/connect.h"),
                ("client/a.c", "worker/arena.h"),
                ("client/a.c", "tests/support/heap.h"),
                ("client/a.c", "../worker/arena.h")):
            with self.subTest(name=name, include=include):
                self.fails(rule, name, f'#include "{include}"\n')
        self.fails(rule, "broker/a.c", "#include <stdint.h>\n")

    def test_proto_libraries(self):
        for header in ("zmq.h", "yajl/yajl_parse.h", "zstd.h", "zlib.h",
                       "seccomp.h", "openssl/sha.h"):
            with self.subTest(header=header):
                self.fails("proto_knows_nobody", "proto/a.c",
                           f"# include <{header}>\n")

    def test_broker_and_worker(self):
        rule = "broker_never_includes_worker"
        self.fails(rule, "broker/front/a.c", '#include "worker/rows.h"\n')
        self.fails(rule, "broker/supervisor/a.h",
                   '#include "../../worker/json/x.h"\n')

    def test_zmq(self):
        rule = "zmq_has_two_doors"
        for name in ("proto/a.c", "broker/supervisor/a.c", "worker/a.h",
                     "broker/front/second.c", "client/second.h"):
            with self.subTest(name=name):
                self.fails(rule, name, "#include <zmq.h>\n")
        self.fails(rule, "worker/a.c", '#include "zmq.h"\n')

    def test_yajl(self):
        self.fails("supervisor_parses_nothing", "broker/supervisor/a.c",
                   "#include <yajl/yajl_tree.h>\n")

    def test_length(self):
        rule = "files_stay_short"
        self.fails(rule, "worker/a.c", "\n" * 601)
        self.fails(rule, "tests/unit/worker/test_a.c", "\n" * 601)
        self.assertNotIn(rule, self.complaints({"worker/a.c": "\n" * 600}))

    def test_functions(self):
        rule = "functions_fit_a_screen"
        text = "int\nf(void)\n{\n" + "\tg();\n" * 60 + "}\n"
        self.assertNotIn(rule, self.complaints({"worker/a.c": text * 2}))
        self.fails(rule, "worker/a.c", text.replace("g", "g();\n\tg", 1))

    def test_top_level(self):
        self.fails("top_level_is_fixed", "scripts/a.sh", "\n")
        self.fails("top_level_is_fixed", "Makefile", "\n")

    def test_unfinished(self):
        for word in ("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK"):
            with self.subTest(word=word):
                self.fails("nothing_is_unfinished", "docs/a.md",
                           f"see {word}: later\n")


class BuildRules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = folder.name

    def cc(self, output, text, *flags):
        source = os.path.join(self.build, output + ".c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run([os.environ.get("CC", "cc"), source, "-o",
                        os.path.join(self.build, output), *flags],
                       check=True)

    def complaints(self, rule):
        self.assertIn(rule, [r.__name__ for r in check.BUILD_RULES])
        return " ".join(getattr(check, rule)(self.build))

    def test_worker(self):
        rule = "worker_is_static_without_zmq"
        main = "int main(void) { return 0; }\n"
        self.cc("extract-worker", main, "-static-pie", "-fPIE")
        self.assertEqual(self.complaints(rule), "")
        self.cc("extract-worker", main)
        self.assertIn("asks for a loader", self.complaints(rule))
        self.assertIn("needs libc", self.complaints(rule))
        self.cc("extract-worker", "int zmq_send(void) { return 0; }\n" + main,
                "-static")
        self.assertEqual(self.complaints(rule), "extract-worker: holds zmq")

    def test_supervisor(self):
        rule = "supervisor_links_neither"
        self.cc("extractd", "int main(void) { return 0; }\n")
        self.assertEqual(self.complaints(rule), "")
        for lib, call in (("zmq", "zmq_send"), ("yajl", "yajl_parse")):
            self.cc(f"lib{lib}.so", f"int {call}(void) {{ return 0; }}\n",
                    "-shared", "-fPIC", f"-Wl,-soname,lib{lib}.so.9")
            main = f"int {call}(void);\nint main(void) {{ return {call}(); }}"
            self.cc("extractd", main, os.path.join(self.build, f"lib{lib}.so"))
            self.assertIn(f"needs lib{lib}.so.9", self.complaints(rule))
            self.cc("extractd", f"int {call}(void) {{ return 0; }}\n"
                    "int main(void) { return 0; }\n")
            self.assertEqual(self.complaints(rule), f"extractd: holds {lib}")


if __name__ == "__main__":
    unittest.main()
