// One Rolldown build with the settings that all of ours share.
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import {
  type CodeSplittingGroup,
  type InputOptions,
  type OutputChunk,
  type OutputOptions,
  type Plugin,
  type RenderedChunk,
  type RolldownBuild,
  rolldown
} from 'rolldown'
import { minify } from 'rolldown/utils'
import { minifyTemplates } from './minify-templates.ts'
import { isMeasured } from './mode.ts'
import { uiFolder } from './place.ts'
import { plainImports } from './plain-imports.ts'
import { MAPPED_OUTPUT, mapPlugin } from './source-maps.ts'

export interface BundleOptions {
  /** Name → module, absolute or bare. */
  readonly input: Readonly<Record<string, string>>
  readonly external?: InputOptions['external']
  readonly entryNames: string
  readonly chunkNames: string
  /**
   * `shared`: what entries share are separate chunks. `together`: an entry holds all that it loads at once.
   * `renamed`: no chunk imports an entry, because it is served under another name.
   */
  readonly entries: 'shared' | 'together' | 'renamed'
  /** Modules that become chunks together. */
  readonly groups?: CodeSplittingGroup[]
  /** What is being built, for messages: `page events of telemetry-dashboard`. */
  readonly subject: string
}

export interface Bundle {
  readonly chunks: readonly OutputChunk[]
  /** The files that the build read. */
  readonly inputs: readonly string[]
}

/** Builds in memory. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const build = await rolldown({
    cwd: uiFolder,
    platform: 'browser',
    input: { ...options.input },
    ...(options.external !== undefined && { external: options.external }),
    preserveEntrySignatures: options.entries === 'renamed' ? 'strict' : 'allow-extension',
    treeshake: {
      // What the elements are made of has no effects: what a page does not use is left out.
      manualPureFunctions: ['css', 'html', 'svg'],
      propertyReadSideEffects: false,
      moduleSideEffects: (id) => !isOwnModule(id)
    },
    // The shell brings along what an embed file loads later.
    checks: { ineffectiveDynamicImport: false },
    plugins: [...(isMeasured() ? [mapPlugin()] : []), jsonPlugin(), uplotPlugin(), codePlugin()],
    onLog(level, log, handle) {
      if (log.code === 'UNRESOLVED_IMPORT') {
        throw new Error(
          `${log.message} Pages run in the browser: import only what is installed and made for it.`
        )
      }
      handle(level, log)
    }
  })
  try {
    return { chunks: await chunksOf(build, options), inputs: await build.watchFiles }
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`${options.subject}: ${stripVTControlCharacters(message)}`, { cause })
  } finally {
    await build.close()
  }
}

async function chunksOf(build: RolldownBuild, options: BundleOptions) {
  if (options.entries === 'together') return generate(build, options, ONE_CHUNK)
  const { groups } = options
  const chunks = await generate(build, options, groups && { codeSplitting: { groups } })
  const isSplit = chunks.some(
    ({ isEntry, imports }) => isEntry && chunks.some(({ fileName }) => imports.includes(fileName))
  )
  return options.entries === 'renamed' && isSplit ? generate(build, options, ONE_CHUNK) : chunks
}

/** What an entry loads at once is one chunk, and compresses better than several. */
const ONE_CHUNK: OutputOptions = {
  codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] }
}

async function generate(
  build: RolldownBuild,
  { entryNames, chunkNames }: BundleOptions,
  more: OutputOptions = {}
): Promise<readonly OutputChunk[]> {
  const { output } = await build.generate({
    format: 'es',
    entryFileNames: entryNames,
    chunkFileNames: chunkNames,
    hashCharacters: 'hex',
    generatedCode: { preset: 'es2015' },
    minify: false,
    ...(isMeasured() ? MAPPED_OUTPUT : { plugins: [minifyPlugin()] }),
    ...more
  })
  return output.filter((part) => part.type === 'chunk')
}

/** Minifies a chunk, then names the packages in it: the minifier would remove the comment. */
function minifyPlugin(): Plugin {
  return {
    name: 'keelson-minify',
    async renderChunk(code, chunk) {
      const { code: short, errors } = await minify(chunk.fileName, code, {
        module: true,
        compress: { target: 'es2022' },
        mangle: { toplevel: true }
      })
      const [error] = errors
      if (error !== undefined) throw new Error(`${chunk.fileName}: ${error.message}`)
      return { code: `${banner(chunk)}\n${short}`, map: null }
    }
  }
}

/** Blanks move lines, so measured builds keep them. */
const shortened = (code: string) => (isMeasured() ? code : minifyTemplates(code))

/** Modules of this package, but for the one that starts the shell. */
function isOwnModule(id: string): boolean {
  return id.startsWith(`${realpathSync(uiFolder)}${sep}dist`) && !id.endsWith(`shell${sep}main.js`)
}

function codePlugin(): Plugin {
  return {
    name: 'keelson-code',
    transform: {
      filter: { id: { include: /\.js$/, exclude: /node_modules/ } },
      handler: (code) => ({ code: shortened(plainImports(code)), map: null })
    }
  }
}

/**
 * uPlot reads the language of the browser when it is loaded, and a browser whose language is no tag of BCP 47, as the
 * `C` of a bare Linux, throws then. Our axes write numbers themselves.
 */
function uplotPlugin(): Plugin {
  return {
    name: 'keelson-uplot',
    transform: {
      filter: { id: /uPlot\.esm\.js$/ },
      handler(code) {
        const guarded = code.replace(
          'NumberFormat(domEnv ? nav.language',
          "NumberFormat(domEnv ? 'en-US'"
        )
        if (guarded === code) throw new Error('uPlot has changed: look at its use of nav.language')
        return { code: guarded, map: null }
      }
    }
  }
}

/** A file of JSON is one value: as names for each of its keys it would be half as large again. */
function jsonPlugin(): Plugin {
  return {
    name: 'keelson-json',
    transform: {
      filter: { id: /\.json$/ },
      handler: (text) => ({ code: `export default ${text}`, moduleType: 'js', map: null })
    }
  }
}

/** Names the packages whose code a file holds, with their licenses. */
function banner({ moduleIds }: RenderedChunk): string {
  const folders = moduleIds.flatMap(
    (id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []
  )
  const licenses = [...new Set(folders)].sort().map(licenseLine)
  return licenses.length === 0 ? '' : `/* Includes ${licenses.join(', ')}. */`
}

function licenseLine(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, license } = JSON.parse(text) as { name: string; license?: string }
  return `${name} (${license ?? 'no license named'})`
}
