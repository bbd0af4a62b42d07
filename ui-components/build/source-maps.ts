// Rolldown's part in measured builds: modules keep the source maps that transpiling wrote beside them.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { OutputOptions, Plugin } from 'rolldown'

/** Writes the map into the file, with absolute paths. */
export const MAPPED_OUTPUT: OutputOptions = {
  sourcemap: 'inline',
  sourcemapPathTransform: (path, map) => resolve(dirname(map), path)
}

/** Loads a module with its map, whose sources are included: reports count nothing without them. */
export function mapPlugin(): Plugin {
  return {
    name: 'keelson-maps',
    load(id) {
      if (id.includes('node_modules') || !existsSync(`${id}.map`)) return null
      const map = JSON.parse(readFileSync(`${id}.map`, 'utf8')) as { readonly sources: string[] }
      const sources = map.sources.map((path) => resolve(dirname(id), path))
      const sourcesContent = sources.map((path) => readFileSync(path, 'utf8'))
      return { code: readFileSync(id, 'utf8'), map: { ...map, sources, sourcesContent } as never }
    }
  }
}
