// npm start: looks for what would end the start, builds what is stale, then runs the demo as keelson serve does.
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
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
// Meanwhile the process of the host loads what no build changes.
const script = fileURLToPath(new URL('./worker.mjs', import.meta.url))
cluster.setupPrimary({ exec: script })
const first = cluster.fork({ KEELSON_SERVED: '1', KEELSON_WAITS: '1' })
const [code] = await once(built, 'exit')
if (code !== 0) process.exit(1)
console.error('Starting the platform')
const { serve } = await import('@keelson/kernel/serve')
const report = ({ event, revision, text }) => {
  if (event === 'failed' || revision > 0) console.error(text)
}
const served = serve({ script, first, report })
first.send('built')
process.exitCode = await served
