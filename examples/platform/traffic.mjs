// npm run demo:traffic: builds what is stale, then drives a running demo.
import { build } from '../../.build/build.mjs'

await build()
const { main } = await import('./dist/traffic.js')
process.exitCode = await main(process.argv.slice(2), process.env)
