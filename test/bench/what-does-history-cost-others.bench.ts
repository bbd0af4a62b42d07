// How long others wait in a process while heavy reads of history run there, and what it keeps of memory afterwards.
// KEELSON_BENCH_ROWS changes how many rows there are.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReaderFigure } from './history-reader.ts'
import { printFigure } from './measure.ts'
import { DATABASE, openSealedHistory } from './sealed-history.ts'

const ROWS = Number(process.env['KEELSON_BENCH_ROWS'] ?? 310_000)

const { uri, range, cacheDir, close } = await openSealedHistory(ROWS)
const reader = join(import.meta.dirname, 'history-reader.js')
const times = [String(range.from.getTime()), String(range.to.getTime())]
const child = spawn(process.execPath, ['--expose-gc', reader, uri, DATABASE, cacheDir, ...times], {
  stdio: ['pipe', 'pipe', 'inherit']
})
const ended = once(child, 'close')
for await (const line of createInterface({ input: child.stdout })) {
  const { name, value, most, detail } = JSON.parse(line) as ReaderFigure
  printFigure(`${name}, ${ROWS} rows`, value, { atMost: most }, detail)
}
await ended
await close()
