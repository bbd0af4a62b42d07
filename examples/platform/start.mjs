// npm start: looks for what would end the start, builds what is stale, then runs the demo in this process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { obstacleTo } from './preflight.mjs'

const obstacle = await obstacleTo(process.env)
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exit(1)
}
// In a separate process: the tools that bundle pages would stay in the memory of the host.
const build = fileURLToPath(new URL('../../.build/build.mjs', import.meta.url))
const built = spawn(process.execPath, [build], { stdio: ['ignore', 'inherit', 'inherit'] })
// Meanwhile this process loads what no build changes.
const [[code]] = await Promise.all([once(built, 'exit'), import('fastify'), import('mongodb')])
if (code !== 0) process.exit(1)
console.error('Starting the platform')
const { run } = await import('./dist/main.js')
await run(process.env)
