// npm start: builds what is stale, then runs the demo in this process.
import { build } from '../../.build/build.mjs'

try {
  await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const { run } = await import('./dist/main.js')
await run(process.env)
