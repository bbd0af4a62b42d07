#!/usr/bin/env node
// The command `keelson`: starts the built command line, or says that it has to be built.
import { existsSync } from 'node:fs'

const built = new URL('../dist/cli/main.js', import.meta.url)

if (existsSync(built)) {
  const { main } = await import(built.href)
  process.exitCode = await main(process.argv.slice(2), process)
} else {
  console.error('Keelson is not built yet. Run `npm run build` at the root of the repository.')
  process.exitCode = 1
}
