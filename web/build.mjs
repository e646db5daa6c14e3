// SPDX-License-Identifier: Apache-2.0
//
// Bundles src/ into one page:  node build.mjs [OUTPUT]   (page.html beside this file when not given)
//
// The page's own script and style are named by their checksums in its content security policy, so that the
// browser runs nothing else, whatever stands in the data.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
// CMake installs packages in its build folder, to leave the sources alone.
const { build } = createRequire(`${process.env.MBN_NODE_MODULES ?? `${here}node_modules`}/`)("esbuild");
const output = process.argv[2] ?? `${here}page.html`;

async function bundle(entry) {
  const result = await build({
    entryPoints: [here + entry], bundle: true, minify: true, write: false, format: "iife", target: ["es2022"],
    charset: "utf8", legalComments: "none", logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
}

const hashOf = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const script = (await bundle("src/main.ts")).replaceAll("</script", "<\\/script");
const style = await bundle("src/style.css");
const parts = {
  "@SCRIPT_HASH@": hashOf(script), "@STYLE_HASH@": hashOf(style), "@SCRIPT@": script, "@STYLE@": style,
};
const shell = readFileSync(`${here}src/index.html`, "utf8").replace(/>\n\s*</g, ">\n<");
const page = shell.replace(/@(SCRIPT|STYLE)(_HASH)?@/g, (mark) => parts[mark]);
for (const mark of ["@MBN_TITLE@", "@MBN_DATA@"]) {
  if (page.split(mark).length !== 2) throw new Error(`${mark} must stand in the page exactly once`);
}
writeFileSync(output, page);
