// What keelson doctor says of the built-in engine's data file: how many of its pages hold nothing and are lost.
import type { Db } from 'mongodb'

/** How the built-in engine shows itself in `buildInfo`. */
const ENGINE_MODULE = 'keelson-local'

export interface FilePages {
  readonly pages: number
  readonly leakedPages: number
}

/** Undefined for other databases, and while there are no collections. */
export async function readFilePages(db: Db, modules: unknown): Promise<FilePages | undefined> {
  if (!Array.isArray(modules) || !modules.includes(ENGINE_MODULE)) return undefined
  const listed = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const sizes = await Promise.all(
    listed.map(async ({ name }) => ({
      name,
      documents: await db.collection(name).estimatedDocumentCount()
    }))
  )
  // Each validation counts the pages of the whole file: the smallest collection takes the least time.
  const [smallest] = sizes.sort((a, b) => a.documents - b.documents)
  if (smallest === undefined) return undefined
  const { pages, leakedPages } = await db.command({ validate: smallest.name })
  return { pages: Number(pages), leakedPages: Number(leakedPages) }
}

/** A warning when pages are lost. */
export function filePagesFindings(file: FilePages | undefined) {
  if (file === undefined || file.leakedPages === 0) return []
  const message = `${file.leakedPages} of ${file.pages} pages of the data file hold nothing and are not used again`
  const remedy = 'Stop all hosts and run local-mongo compact --data DIR: the file gets smaller.'
  return [{ area: 'database', level: 'warn', message, remedy } as const]
}
