// npm run docs: builds the documentation as a site; with --serve also shows it on this machine.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import serveFolder from '@fastify/static'
import Fastify from 'fastify'
import { buildSite } from './docs/build-site.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({
  options: { serve: { type: 'boolean' }, port: { type: 'string', default: '4747' } }
})
const out = join(root, 'docs', 'dist')
const pages = await buildSite(out)
console.log(`Wrote ${pages} pages to docs/dist`)
if (values.serve) {
  const app = Fastify()
  await app.register(serveFolder, { root: out, redirect: true })
  console.log(
    `Documentation at ${await app.listen({ host: '127.0.0.1', port: Number(values.port) })}`
  )
}
