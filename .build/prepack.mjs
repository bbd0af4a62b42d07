// Refuses to pack a package that lacks a file its package.json promises. Run by `prepack` in its folder.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { missingEntries } from './missing-entries.mjs'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--workspaces=false']
const listed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }))
const [{ files }] = Array.isArray(listed) ? listed : Object.values(listed)
const missing = missingEntries(
  manifest,
  files.map(({ path }) => path)
)
if (missing.length > 0) {
  const names = missing.map((name) => `  ${name}\n`).join('')
  process.stderr.write(
    `${manifest.name} cannot be packed. Its package.json names files that are missing:\n${names}Run \`npm run build && npm run types\` at the root of the repository, then pack again.\n`
  )
  process.exitCode = 1
}
