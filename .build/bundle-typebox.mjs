// Bundles TypeBox into the module of the SDK that exports it.
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the bundle where the module was transpiled anew, or has another version of TypeBox. */
export async function bundleTypebox(root) {
  const library = join(root, 'node_modules', 'typebox')
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const mark = `/*! TypeBox ${version}`
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
  const { atime, mtime } = statSync(source)
  // Transpiled modules have the time of their source.
  utimesSync(output, atime, mtime)
}
