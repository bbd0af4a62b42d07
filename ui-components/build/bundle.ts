// One Rollup build with the settings that all of ours share.
import { readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import terser from '@rollup/plugin-terser'
import {
  type InputOptions,
  type OutputChunk,
  type Plugin,
  type RenderedChunk,
  rollup
} from 'rollup'
import { minifyTemplates } from './minify-templates.ts'
import { uiFolder } from './place.ts'
import { plainImports } from './plain-imports.ts'

export interface BundleOptions {
  /** Name → module, absolute or bare. */
  readonly input: Readonly<Record<string, string>>
  readonly external?: InputOptions['external']
  readonly entryNames: string
  readonly chunkNames: string
  /** What is being built, for messages: `page events of telemetry-dashboard`. */
  readonly subject: string
}

// The package's types describe its CommonJS form; as an ES module the default is the function itself.
const minify = terser as unknown as typeof terser.default

/** Builds in memory and returns the chunks. */
export async function bundle(options: BundleOptions): Promise<readonly OutputChunk[]> {
  const build = await rollup({
    input: { ...options.input },
    ...(options.external !== undefined && { external: options.external }),
    preserveEntrySignatures: 'allow-extension',
    treeshake: {
      // What the elements are made of has no effects: what a page does not use is left out.
      manualPureFunctions: ['css', 'html', 'svg'],
      moduleSideEffects: (id) => !isOwnModule(id)
    },
    plugins: [nodeResolve({ browser: true, rootDir: uiFolder }), codePlugin()],
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
  try {
    const { output } = await build.generate({
      format: 'es',
      entryFileNames: options.entryNames,
      chunkFileNames: options.chunkNames,
      hashCharacters: 'hex',
      generatedCode: 'es2015',
      plugins: [
        minify({
          module: true,
          ecma: 2020,
          compress: { passes: 3 },
          format: { comments: /Includes/ }
        })
      ],
      banner
    })
    return output.filter((part) => part.type === 'chunk')
  } finally {
    await build.close()
  }
}

/** Modules of this package, but for the one that starts the shell. */
function isOwnModule(id: string): boolean {
  return id.startsWith(`${realpathSync(uiFolder)}${sep}dist`) && !id.endsWith(`shell${sep}main.js`)
}

function codePlugin(): Plugin {
  return {
    name: 'keelson-code',
    transform: (code, id) =>
      id.includes('node_modules') ? null : { code: minifyTemplates(plainImports(code)), map: null }
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
