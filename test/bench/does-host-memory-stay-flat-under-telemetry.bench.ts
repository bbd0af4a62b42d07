// Resident memory of a host that takes telemetry under full load: KEELSON_BENCH_MINUTES, 1 unless told; the
// aim is for 10. After a warm-up the greatest and the smallest of the medians of each twentieth are compared.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startLocalMongo } from '@keelson/local-mongo'
import { median, printFigure } from './measure.ts'
import { nextBatch, startIngestHost } from './telemetry-load.ts'

const MINUTES = Number(process.env['KEELSON_BENCH_MINUTES'] ?? 1)
const LANES = 8
const PARTS = 20
const WARM_UP = 0.3

const folder = await mkdtemp(join(process.env['KEELSON_BENCH_DIR'] ?? tmpdir(), 'keelson-bench-'))
const foreign = process.env['MONGODB_URI']
const engine = foreign ? undefined : await startLocalMongo({ dataDir: folder })
const host = await startIngestHost(foreign || engine?.uri || '', `bench_${process.pid}`)

const endsAt = performance.now() + MINUTES * 60_000
const looks: number[] = []
let sent = 0
const lane = async () => {
  while (performance.now() < endsAt) {
    await host.send(nextBatch())
    sent += 100
  }
}
const timer = setInterval(async () => {
  looks.push((await host.used()).rss / 1024 / 1024)
}, 250)
await Promise.all(Array.from({ length: LANES }, lane))
clearInterval(timer)

const warm = looks.slice(Math.floor(looks.length * WARM_UP))
const size = Math.max(1, Math.floor(warm.length / PARTS))
const parts = Array.from({ length: PARTS }, (_, n) =>
  median(warm.slice(n * size, (n + 1) * size))
).filter((value) => !Number.isNaN(value))
const least = Math.min(...parts)
const most = Math.max(...parts)
printFigure(
  'MB that host memory moves by under load',
  (most - least) / 2,
  { atMost: 50 },
  `${least.toFixed(0)} to ${most.toFixed(0)} MB over ${MINUTES} minutes and ${sent} events`
)
await host.close()
await engine?.close()
await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
