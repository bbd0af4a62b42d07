// Packs the example plugins as the templates of `keelson create`: one file each, because npm leaves .gitignore out
// of packages. What is around the code is the same for all, and is once in the repository.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kind → the example that is its template. */
const KINDS = {
  plugin: 'notes-plugin',
  deliverability: 'third-party-plugin',
  job: 'rates-plugin',
  provider: 'relay-plugin',
  telemetry: 'digest-plugin'
}
const AROUND = 'around-a-plugin'
const SKIPPED = new Set([
  'node_modules',
  'dist',
  '.keelson',
  'keelson.config.json',
  'custom-elements.json'
])

/** Writes `kernel/dist/templates/<kind>.json`: `{ id, files: { path: text } }`. */
export function packTemplates(root) {
  const target = join(root, 'kernel', 'dist', 'templates')
  mkdirSync(target, { recursive: true })
  const around = filesBelow(join(root, 'examples', AROUND))
  for (const [kind, id] of Object.entries(KINDS)) {
    const files = { ...filesBelow(join(root, 'examples', id)), ...around }
    const text = JSON.stringify({ id, files })
    const file = join(target, `${kind}.json`)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

function filesBelow(folder, prefix = '') {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(folder, entry.name)
      const name = `${prefix}${entry.name}`
      return entry.isDirectory()
        ? filesBelow(path, `${name}/`)
        : { [name]: readFileSync(path, 'utf8') }
    })
  )
}
