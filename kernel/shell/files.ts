// The files that the shell serves: read once, kept with their compressed form, named by content.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { UiManifest } from '@keelson/ui'
import type { ShellPage } from './page.ts'

export interface ServedFile {
  readonly body: Buffer
  /** Undefined when compression does not pay. */
  readonly gzip: Buffer | undefined
  readonly type: string
  /** For files without a hash in their name. */
  readonly etag: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml'
}

/** A file that was changed under us is read anew; so `keelson dev` needs no restart. */
interface Read {
  readonly file: ServedFile
  readonly changedAt: number
}

export interface ShellFiles {
  /** Undefined when the browser files are not built. */
  ui(): UiManifest | undefined
  /** A file of @keelson/ui by its name. */
  asset(name: string): ServedFile | undefined
  /** The name a page's module is served under: it holds the hash of the content. */
  moduleName(page: ShellPage): string
  module(page: ShellPage): ServedFile | undefined
  /** The embed file of a page, or a file that lies beside it (its chart). */
  embed(page: ShellPage, name: string): ServedFile | undefined
}

/** `folder` is where @keelson/ui has its browser files. */
export function openShellFiles(folder: string): ShellFiles {
  const reads = new Map<string, Read>()
  // Names with a hash in them: what was read once stays right.
  const assets = new Map<string, ServedFile>()
  let known: { readonly file: ServedFile; readonly ui: UiManifest } | undefined
  const read = (path: string): ServedFile | undefined => {
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt === undefined) return undefined
    const known = reads.get(path)
    if (known?.changedAt === changedAt) return known.file
    const file = servedFile(path)
    reads.set(path, { file, changedAt })
    return file
  }
  return {
    ui() {
      const file = read(join(folder, 'manifest.json'))
      if (file === undefined) return undefined
      if (known?.file !== file) known = { file, ui: JSON.parse(String(file.body)) as UiManifest }
      return known.ui
    },
    asset(name) {
      const file =
        assets.get(name) ?? (isListed(folder, name) ? read(join(folder, name)) : undefined)
      if (file !== undefined) assets.set(name, file)
      return file
    },
    moduleName(page) {
      const file = read(page.file)
      const hash = file === undefined ? 'missing' : file.etag.slice(1, 13)
      return `${page.plugin}.${page.id}.${hash}.js`
    },
    module: (page) => read(page.file),
    embed(page, name) {
      const own = page.embedFile ?? page.file
      if (name === `${page.id}.js`) return read(own)
      const beside = dirname(own)
      const isItsOwn = name.startsWith(`${page.id}-`) && isListed(beside, name)
      return isItsOwn ? read(join(beside, name)) : undefined
    }
  }
}

/** Only names that the folder lists: nothing in a name can lead out of it. */
function isListed(folder: string, name: string): boolean {
  if (TYPES[extname(name)] === undefined) return false
  return (
    statSync(folder, { throwIfNoEntry: false }) !== undefined && readdirSync(folder).includes(name)
  )
}

function servedFile(path: string): ServedFile {
  const body = readFileSync(path)
  const gzip = gzipSync(body, { level: 9 })
  return {
    body,
    gzip: gzip.length < body.length * 0.9 ? gzip : undefined,
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  }
}
