// Writes the entries of operations into plugin.json, as the code has them.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Manifest, type PluginDefinition, withOperations } from '@keelson/sdk'

/** Columns that a list of short values may take on one line. */
const LINE = 100

/** The manifest with the entries of its operations. */
export function withServedOperations(
  manifest: Manifest,
  { operations }: Pick<PluginDefinition, 'operations'>
): Manifest {
  const { routes = [] } = manifest
  if (operations.length === 0 && routes.every(({ id }) => id === undefined)) return manifest
  return { ...manifest, routes: [...withOperations(routes, operations)] }
}

/** plugin.json as a file; lists of short values are on one line. */
export function printManifest(manifest: object): string {
  const text = JSON.stringify(manifest, null, 2)
  const lists =
    /^( *(?:"[^"\n]+": )?)\[\n\s+((?:"[^"\n]*"|[\d.]+)(?:,\n\s+(?:"[^"\n]*"|[\d.]+))*)\n\s+\](,?)$/gm
  const joined = text.replace(lists, (whole, start: string, items: string, comma: string) => {
    const line = `${start}[${items.replace(/,\n\s+/g, ', ')}]${comma}`
    return line.length <= LINE ? line : whole
  })
  return `${joined}\n`
}

/** Whether the file was written: it is left alone while its entries are those of the code. */
export async function writeOperations(
  folder: string,
  manifest: Manifest,
  definition: PluginDefinition
): Promise<boolean> {
  const file = join(folder, 'plugin.json')
  const wanted = withServedOperations(manifest, definition)
  if (JSON.stringify(wanted) === JSON.stringify(JSON.parse(await readFile(file, 'utf8'))))
    return false
  await writeFile(file, printManifest(wanted))
  return true
}
