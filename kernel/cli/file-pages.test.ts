// Lost pages of the built-in engine's file, as keelson doctor reports them.
import type { Db } from 'mongodb'
import { test } from 'tap'
import { filePagesFindings, readFilePages } from './file-pages.ts'

/** A database with collections of so many documents, of whose file 7 of 90 pages are lost. */
function databaseOf(collections: Readonly<Record<string, number>>) {
  const commands: object[] = []
  const db = {
    listCollections: () => ({
      toArray: async () => Object.keys(collections).map((name) => ({ name }))
    }),
    collection: (name: string) => ({ estimatedDocumentCount: async () => collections[name] }),
    async command(command: object) {
      commands.push(command)
      return { valid: true, pages: 90, leakedPages: 7 }
    }
  } as unknown as Db
  return { db, commands }
}

test('the smallest collection of the built-in engine is validated, and nothing of other databases', async (t) => {
  const { db, commands } = databaseOf({ large: 900, small: 2, middle: 50 })
  t.same(await readFilePages(db, ['keelson-local']), { pages: 90, leakedPages: 7 })
  t.same(commands, [{ validate: 'small' }])
  t.equal(await readFilePages(db, []), undefined)
  t.equal(await readFilePages(db, undefined), undefined)
  t.equal(await readFilePages(databaseOf({}).db, ['keelson-local']), undefined)
  t.equal(commands.length, 1)
})

test('lost pages are a warning with a remedy', async (t) => {
  t.match(filePagesFindings({ pages: 90, leakedPages: 7 }), [
    { level: 'warn', message: /7 of 90 pages/, remedy: /local-mongo compact/ }
  ])
  t.same(filePagesFindings({ pages: 90, leakedPages: 0 }), [])
  t.same(filePagesFindings(undefined), [])
})
