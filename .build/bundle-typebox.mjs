// Bundles TypeBox into the module of the SDK that exports it.
import { closeSync, openSync, readFileSync, readSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the bundle where the module was transpiled anew, or has another version of TypeBox; says whether. */
export async function bundleTypebox(root) {
  const library = join(root, 'node_modules', 'typebox')
  const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const mark = `/*! TypeBox ${version}`
  const output = join(root, 'sdk', 'dist', 'typebox.js')
  if (beginningOf(output, mark.length) === mark) return false
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
  return true
}

function beginningOf(path, length) {
  const file = openSync(path, 'r')
  const bytes = Buffer.alloc(length)
  readSync(file, bytes)
  closeSync(file)
  return bytes.toString()
}
