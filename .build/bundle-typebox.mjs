// Bundles TypeBox into the module of the SDK that exports it.
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the bundle where the module was transpiled anew, or has another version of TypeBox. */
export async function bundleTypebox(root) {
  const library = join(root, 'node_modules', 'typebox')
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const mark = `/*! TypeBox ${version}, in ASCII`
  const output = join(root, 'sdk', 'dist', 'typebox.js')
  if (readFileSync(output, 'utf8').startsWith(`${mark}\n`)) return
  const source = join(root, 'sdk', 'typebox.ts')
  // As heavy as all else of a build that has nothing to do.
  const { build } = await import('rolldown')
  await build({
    input: source,
    platform: 'node',
    output: {
      file: output,
      format: 'esm',
      sourcemap: true,
      banner: `${mark}\n${readFileSync(join(library, 'license'), 'utf8')}\n*/`
    }
  })
  // One character beyond ASCII, and V8 keeps the whole text with two bytes for each.
  writeFileSync(output, escaped(readFileSync(output, 'utf8')))
  const { atime, mtime } = statSync(source)
  // Transpiled modules have the time of their source.
  utimesSync(output, atime, mtime)
}

/** The code with an escape for each character beyond ASCII, as strings and patterns allow. */
function escaped(code) {
  return code.replace(
    /[^\0-\x7f]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
