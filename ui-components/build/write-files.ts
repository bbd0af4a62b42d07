// Writes built files with their compressed forms, each at once, so that a server never reads half a file.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Below this many bytes compression does not pay for the extra file. */
const WORTH_COMPRESSING = 1024
/** The best quality (11) takes ten times as long for files 6 % smaller. */
const BROTLI_QUALITY = 9

/** Writes `name → text` below a folder; each larger file also as `name.br` and `name.gz`. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const content = Buffer.from(text)
    if (content.length >= WORTH_COMPRESSING) {
      replace(`${path}.br`, brotli(content))
      replace(`${path}.gz`, gzipSync(content, { level: 9 }))
    } else {
      // Those of an earlier, larger file would be served in its place.
      for (const form of ['.br', '.gz']) rmSync(`${path}${form}`, { force: true })
    }
    replace(path, content)
  }
}

function brotli(content: Buffer): Buffer {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length
  }
  return brotliCompressSync(content, { params })
}

function replace(path: string, content: Buffer): void {
  const fresh = `${path}.${process.pid}.new`
  writeFileSync(fresh, content)
  renameSync(fresh, path)
}
