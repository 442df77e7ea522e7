"""Mutation testing of `referee/rules`: the code is changed in one place at a time, and some test must notice.

Cosmic Ray makes the mutants and runs `tests/support/one_mutant.py` on each, in a copy under `build/mutants`.
What survives must be explained in `tests/rules/MUTANTS.md`; a survivor that is not makes this fail, and so does an
explanation that is no longer needed.
Cosmic Ray was chosen over mutmut because it also changes what is computed when a module is loaded (tables, masks,
compiled laws), and because mutmut's switch in every function slows these, the most called of all, by ten.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkerOutcome, WorkResult

ROOT: Final = Path(__file__).resolve().parent.parent
PLACE: Final = ROOT / "build" / "mutants"
SESSION: Final = PLACE / "session.sqlite"
EXPLAINED: Final = ROOT / "tests" / "rules" / "MUTANTS.md"
COPIED: Final = ("referee", "tests/rules", "tests/table", "tests/vectors", "tests/support", "docs")
RUNNER: Final = "tests/support/one_mutant.py"
SECONDS: Final = 30
# Of ten other operators one is enough, and `is` for `==` between small numbers or enums changes nothing.
WANTED: Final = re.compile(
    r"core/(?!Replace(Binary|Comparison))"
    r"|.*_(BitOr_BitAnd|BitAnd_BitOr|BitXor_BitOr|LShift_RShift|RShift_LShift|Add_Sub|Sub_Add|Mul_Add|Mod_Mul|Pow_Mul"
    r"|FloorDiv_Mul|Is_IsNot|IsNot_Is|Eq_NotEq|NotEq_Eq|Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt)$"
)


def copy_tree() -> None:
    """Lay out what the tests need, anew."""
    shutil.rmtree(PLACE, ignore_errors=True)
    for name in COPIED:
        shutil.copytree(ROOT / name, PLACE / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(PLACE / "referee" / "rules", PLACE / "pristine")
    (PLACE / "tests" / "__init__.py").touch()
    # Without -B, two mutants of one size in one second would share their bytecode.
    (PLACE / "session.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "referee/rules"\ntimeout = {SECONDS}.0\nexcluded-modules = []\n'
        f'test-command = "{sys.executable} -B {RUNNER}"\n[cosmic-ray.distributor]\nname = "local"\n'
    )


def run(*arguments: str) -> None:
    """Run Python in the copy; what fails there ends all."""
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run([sys.executable, *arguments], cwd=PLACE, env=environment, check=True)


class Bare(ast.NodeTransformer):
    """Takes away what is never evaluated: annotations, since all modules postpone them."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Drop the annotation of a parameter."""
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drop the annotation of a return."""
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Replace the annotation of a variable."""
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def bare(code: str) -> str | None:
    """Return what of *code* is evaluated, or None if it is no Python."""
    try:
        return ast.dump(Bare().visit(ast.parse(code)))
    except SyntaxError:
        return None


def leave_out_the_pointless(work: WorkDB) -> None:
    """Mark as skipped what is not wanted, what changes nothing but an annotation, and what is no Python."""
    sources: dict[Path, str] = {}
    for item in work.work_items:
        (spec,) = item.mutations
        source = sources.setdefault(spec.module_path, (PLACE / spec.module_path).read_text())
        if WANTED.match(spec.operator_name):
            operator = get_operator(spec.operator_name)(**spec.operator_args)
            mutant = mutate_code(source, operator, spec.occurrence)
            if mutant is not None and bare(mutant) not in (bare(source), None):
                continue
        work.set_result(item.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))


def told(path: Path, diff: str) -> str:
    """Return a mutant in one line: its module, the line that was, and the line that is."""
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++"))]
    was, now = (" ".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
    line = " ".join(f"{path.name}: {was} => {now}".split())
    # Cosmic Ray puts a blank before a number that it has changed.
    return re.sub(r"(?<=[(\[]) |(?<=\w=) (?=[\d-])|(?<=, [-~]) (?=\d)", "", line)


def survivors(work: WorkDB) -> list[str]:
    """Return the mutants that no test has noticed."""
    modules = {item.job_id: item.mutations[0].module_path for item in work.work_items}
    return [told(modules[job], result.diff) for job, result in work.results if is_survivor(result)]


def is_survivor(result: WorkResult) -> bool:
    """Return whether the tests ran on a mutant and passed."""
    return result.worker_outcome is not WorkerOutcome.SKIPPED and not result.is_killed


def explained() -> list[str]:
    """Return the survivors that are explained: the lines in the code blocks of the document."""
    blocks = re.findall(r"^```text\n(.*?)^```", EXPLAINED.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def main() -> int:
    """Make all mutants, test them, and compare what survives with what is explained."""
    copy_tree()
    print("running the tests on the code as it is ...", flush=True)
    run(RUNNER)
    shutil.rmtree(PLACE / "referee" / "rules" / "__pycache__", ignore_errors=True)
    run("-m", "cosmic_ray.cli", "init", "session.toml", "session.sqlite")
    with use_db(str(SESSION), WorkDB.Mode.open) as work:
        leave_out_the_pointless(work)
        print(f"testing {work.num_work_items - work.num_results} mutants, a second or so each ...", flush=True)
    run("-m", "cosmic_ray.cli", "exec", "session.toml", "session.sqlite")
    with use_db(str(SESSION), WorkDB.Mode.open) as work:
        alive, known = survivors(work), explained()
    for line in alive:
        if line not in known:
            print(f"survives: {line}")
    for line in known:
        if line not in alive:
            print(f"explained, but does not survive: {line}")
    print(f"{len(alive)} survivors, {sum(line in known for line in alive)} of them explained in {EXPLAINED.name}")
    return 0 if set(alive) == set(known) else 1


if __name__ == "__main__":
    sys.exit(main())
