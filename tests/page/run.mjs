// SPDX-License-Identifier: Apache-2.0
//
// Runs the page's tests in a browser. The exit code is 77 when there is nothing to run them with.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { missing } from "./browser.mjs";

const reason = missing();
if (reason) {
  console.log(`skipped: ${reason}`);
  process.exit(77);
}
const here = fileURLToPath(new URL(".", import.meta.url));
const tests = readdirSync(here).filter((name) => /^test_.*\.mjs$/.test(name)).map((name) => here + name);
for (const file of tests) {  // one after another: some measure time
  const run = spawnSync(process.execPath, ["--test", "--test-reporter=spec", file], { stdio: "inherit" });
  if (run.status !== 0) process.exitCode = 1;
}
