// Start of the demo on existing data, seconds to ready; resident memory of host plus engine after it.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, printFigure } from './measure.ts'

const ROUNDS = 3

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).status === 200
  } catch {
    return false
  }
}

async function start(dataDir: string): Promise<{ child: ChildProcess; seconds: number }> {
  const port = await freePort()
  const startedAt = process.hrtime.bigint()
  const env = { ...process.env, PORT: String(port), KEELSON_DATA_DIR: dataDir }
  const child = spawn('npm', ['start', '--silent'], { env, detached: true, stdio: 'ignore' })
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { child, seconds: Number(process.hrtime.bigint() - startedAt) / 1e9 }
}

/** Resident memory, MiB, of the Node processes that serve this data folder (host and engine). */
async function residentMemory(dataDir: string): Promise<number> {
  let total = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (!environment.includes(`KEELSON_DATA_DIR=${dataDir}`) && !command.includes(dataDir)) continue
    if (/npm/.test(command.split('\0')[1] ?? '') || command.startsWith('npm')) continue
    if (command.startsWith('sh\0')) continue
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    total += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }
  return total
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  await ended
  await new Promise((resolve) => setTimeout(resolve, 6000))
}

const dataDir = await mkdtemp(join(tmpdir(), 'keelson-bench-'))
await stop((await start(dataDir)).child)
const seconds: number[] = []
const memory: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const { child, seconds: took } = await start(dataDir)
  seconds.push(took)
  memory.push(await residentMemory(dataDir))
  await stop(child)
}
printFigure('seconds to ready on existing data', median(seconds), { atMost: 5 }, 'npm start')
printFigure('resident MiB of host and engine', median(memory), { atMost: 300 }, 'after start')
await rm(dataDir, { recursive: true, force: true })
