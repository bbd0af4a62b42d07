// What can be seen of page modules without a browser: they parse, find what they import, and define their element.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { KeelsonError, Manifest } from '@keelson/sdk'
import { openShellFiles } from '@keelson/ui/server'
import { errors } from '../errors/errors.ts'
import { allImports } from './unbuilt-pages.ts'

/** A page module with everything that it imports by a relative path. */
interface PageGraph {
  /** Texts by absolute path. */
  readonly texts: ReadonlyMap<string, string>
  /** Packages that are imported by name. */
  readonly packages: ReadonlySet<string>
  /** Relative imports whose file is missing: importer and specifier. */
  readonly missing: readonly (readonly [importer: string, specifier: string])[]
}

/** At most one fault for each page: what a browser would stumble over first. Missing modules are left out. */
export async function pageFaults(folder: string, manifest: Manifest): Promise<KeelsonError[]> {
  const known = new Set(Object.keys(openShellFiles({ pages: () => [] }).ui()?.imports ?? {}))
  const pages = manifest.pages ?? []
  const faults = pages.map(async ({ module, element }, at) => {
    const graph = await readGraph(resolve(folder, module))
    if (graph === undefined) return undefined
    const place = { plugin: manifest.id, path: `pages[${at}].module` }
    return (
      (await syntaxFault(folder, graph, place)) ??
      importFault(folder, graph, place, known) ??
      elementFault(graph, { ...place, element, file: module })
    )
  })
  return (await Promise.all(faults)).filter((fault) => fault !== undefined)
}

interface PagePlace {
  readonly plugin: string
  readonly path: string
}

/** Undefined when the module itself is missing. */
async function readGraph(entry: string): Promise<PageGraph | undefined> {
  const texts = new Map<string, string>()
  const packages = new Set<string>()
  const missing: [string, string][] = []
  const waiting: (readonly [file: string, importer: string, specifier: string])[] = [
    [entry, '', '']
  ]
  for (const [file, importer, specifier] of waiting) {
    if (texts.has(file)) continue
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) {
      if (importer === '') return undefined
      missing.push([importer, specifier])
      continue
    }
    texts.set(file, text)
    for (const name of allImports(text)) {
      if (name.startsWith('.')) waiting.push([join(dirname(file), name), file, name])
      else if (!/^(\/|[a-z]+:)/.test(name)) packages.add(name)
    }
  }
  return { texts, packages, missing }
}

async function syntaxFault(
  folder: string,
  { texts }: PageGraph,
  place: PagePlace
): Promise<KeelsonError | undefined> {
  for (const [file, text] of texts) {
    const reason = await syntaxErrorOf(text)
    if (reason === undefined) continue
    return errors.KRN_CLI_PAGE_SYNTAX({ ...place, file: relative(folder, file), reason })
  }
  return undefined
}

/** Node parses it as a module and runs nothing. */
async function syntaxErrorOf(text: string): Promise<string | undefined> {
  const args = ['--input-type=module', '--check', '-']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part
  })
  // A parser that stops early closes its input: what it says is what counts.
  child.stdin.on('error', () => {})
  child.stdin.end(text)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  if (code === 0) return undefined
  const line = /^\[stdin\]:(\d+)/m.exec(said)?.[1]
  const [, words = 'it does not parse'] = /^SyntaxError: (.*)$/m.exec(said) ?? []
  return line === undefined ? words : `line ${line}: ${words}`
}

function importFault(
  folder: string,
  { missing, packages }: PageGraph,
  place: PagePlace,
  known: ReadonlySet<string>
): KeelsonError | undefined {
  const [first] = missing
  if (first !== undefined) {
    const [importer, specifier] = first
    const file = relative(folder, importer)
    return errors.KRN_CLI_PAGE_IMPORT({ ...place, file, specifier, hint: 'That file is missing.' })
  }
  // Without a build of the shell, nothing is known of its packages.
  const foreign = known.size === 0 ? undefined : [...packages].find((name) => !known.has(name))
  if (foreign === undefined) return undefined
  const hint = `The shell provides ${[...known].join(', ')}. Build the page (keelson build) to bundle others.`
  return errors.KRN_CLI_PAGE_IMPORT({ ...place, file: place.path, specifier: foreign, hint })
}

function elementFault(
  { texts }: PageGraph,
  place: PagePlace & { readonly element: string; readonly file: string }
): KeelsonError | undefined {
  const { element } = place
  const isNamed = [...texts.values()].some((text) =>
    ["'", '"', '`'].some((quote) => text.includes(`${quote}${element}${quote}`))
  )
  return isNamed ? undefined : errors.KRN_CLI_PAGE_ELEMENT({ ...place })
}
