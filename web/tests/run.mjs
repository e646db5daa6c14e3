// SPDX-License-Identifier: Apache-2.0
//
// Bundles the unit tests and runs them by node's own runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const { build } = createRequire(`${process.env.MBN_NODE_MODULES ?? `${here}../node_modules`}/`)("esbuild");
const tests = readdirSync(here).filter((name) => name.endsWith(".test.mjs"));
const folder = mkdtempSync(join(tmpdir(), "mbn-web-"));
try {
  await build({
    entryPoints: tests.map((name) => here + name), bundle: true, platform: "node", format: "esm", outdir: folder,
    outExtension: { ".js": ".mjs" }, logLevel: "warning",
  });
  const run = spawnSync(process.execPath, ["--test", ...tests.map((name) => join(folder, name))], { stdio: "inherit" });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
