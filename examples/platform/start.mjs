// npm start: looks for what would end the start, builds what is stale, then runs the demo in this process.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { obstacleTo } from './preflight.mjs'

const obstacle = await obstacleTo(process.env)
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exit(1)
}
// In a separate process: the tools that bundle pages would stay in the memory of the host.
const build = fileURLToPath(new URL('../../.build/build.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 'inherit', 'inherit'] })
if (status !== 0) process.exit(1)
console.error('Starting the platform')
const { run } = await import('./dist/main.js')
await run(process.env)
