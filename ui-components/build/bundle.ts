// One Rollup build with the settings that all of ours share.
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { minify } from 'oxc-minify'
import {
  type InputOptions,
  type OutputChunk,
  type Plugin,
  type RenderedChunk,
  type RollupCache,
  rollup
} from 'rollup'
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
  /** Chunks import no entry, which is served under another name: they share a chunk. */
  readonly isEntryRenamed?: boolean
  /** What is being built, for messages: `page events of telemetry-dashboard`. */
  readonly subject: string
}

export interface Bundle {
  readonly chunks: readonly OutputChunk[]
  /** The files that the build read. */
  readonly inputs: readonly string[]
}

/**
 * What builds of this process have parsed and resolved; Rollup takes a module from here while its file holds the
 * same code. Names resolve otherwise where packages are external, so those builds share nothing with the others.
 */
const parsed = { whole: new Map<string, Module>(), external: new Map<string, Module>() }
type Module = RollupCache['modules'][number]

/** Builds in memory. */
export async function bundle(options: BundleOptions): Promise<Bundle> {
  const modules = parsed[options.external === undefined ? 'whole' : 'external']
  const build = await rollup({
    input: { ...options.input },
    cache: { modules: [...modules.values()] },
    ...(options.external !== undefined && { external: options.external }),
    preserveEntrySignatures: options.isEntryRenamed === true ? 'strict' : 'allow-extension',
    treeshake: {
      // What the elements are made of has no effects: what a page does not use is left out.
      manualPureFunctions: ['css', 'html', 'svg'],
      moduleSideEffects: (id) => !isOwnModule(id)
    },
    plugins: [
      nodeResolve({ browser: true, rootDir: uiFolder }),
      ...(isMeasured() ? [mapPlugin()] : []),
      codePlugin()
    ],
    onwarn(warning, warn) {
      if (warning.code === 'UNRESOLVED_IMPORT') {
        throw new Error(
          `${options.subject}: ${warning.message} Pages run in the browser: import only what is installed and made for it.`
        )
      }
      // TypeScript's own function around a computed import asks for a `this` that may be undefined.
      if (warning.code !== 'THIS_IS_UNDEFINED') warn(warning)
    }
  })
  for (const module of build.cache?.modules ?? []) modules.set(module.id, module)
  try {
    const { output } = await build.generate({
      format: 'es',
      entryFileNames: options.entryNames,
      chunkFileNames: options.chunkNames,
      hashCharacters: 'hex',
      generatedCode: 'es2015',
      ...(isMeasured() ? MAPPED_OUTPUT : { plugins: [minifyPlugin()] })
    })
    return { chunks: output.filter((part) => part.type === 'chunk'), inputs: build.watchFiles }
  } finally {
    await build.close()
  }
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
    transform: (code, id) =>
      id.includes('node_modules') ? null : { code: shortened(plainImports(code)), map: null }
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
