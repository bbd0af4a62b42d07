// What a browser loads before a built module runs: the module, and the chunks that it imports statically.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Bytes after gzip. Chunks that are imported later do not count. */
export function sizeAtOnce(path: string): number {
  const seen = new Set([path])
  let size = 0
  for (const file of seen) {
    const code = readFileSync(file, 'utf8')
    size += gzipSync(code).length
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g))
      seen.add(join(dirname(file), name))
  }
  return size
}
