// Runs the measurements in test/bench/ one after another (or those named), each in its own process.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const wanted = process.argv.slice(2)

await build()
const folder = join(root, 'test', 'dist', 'bench')
const names = readdirSync(folder).filter((name) => name.endsWith('.bench.js'))
for (const name of names) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue
  console.log(`# ${name.replace('.bench.js', '').replaceAll('-', ' ')}`)
  const { status } = spawnSync(process.execPath, ['--expose-gc', join(folder, name)], {
    cwd: root,
    stdio: 'inherit'
  })
  if (status !== 0) process.exitCode = 1
}
