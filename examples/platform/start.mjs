// npm start: looks for what would end the start, builds what is stale, then runs the demo in this process.
import { obstacleTo } from './preflight.mjs'

const obstacle = await obstacleTo(process.env)
if (obstacle !== undefined) {
  console.error(obstacle)
  process.exit(1)
}
try {
  const { build } = await import('../../.build/build.mjs')
  await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
console.error('Starting the platform')
const { run } = await import('./dist/main.js')
await run(process.env)
