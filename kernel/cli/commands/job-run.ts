// keelson job run: one run of a job of the platform, now.

import { nearestName } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { errors } from '../../errors/errors.ts'
import { createKernel } from '../../index.ts'
import { kernelOf } from '../../lifecycle/attach.ts'
import type { JobResult } from '../../schedule/job.ts'
import type { Ticker } from '../../schedule/ticker.ts'
import { connectStorage } from '../../storage/connect.ts'
import type { Command, CommandContext } from '../command.ts'
import { commandLog, type FoundPlatform, nameDatabase } from '../platform.ts'
import { findPlatformInForce } from '../platform-in-force.ts'

/** A job by its plugin. */
interface JobName {
  readonly plugin: string
  readonly job: string
}

export const jobRun: Command = {
  name: 'job run',
  summary: 'Run a job of the platform once, now, and say how it ended.',
  details: [
    'Starts the platform of this folder without serving it: its config, its plugins, its database.',
    'The job has its time limit, and does not run beside a run of a host that it excludes.'
  ].join('\n'),
  positionals: '<job>',
  options: {
    plugin: { type: 'string', placeholder: 'ID', description: 'The plugin of the job.' }
  },
  async run(context, { args: [name = ''], options, signal }) {
    const platform = await findPlatformInForce(context)
    const { plugin, job } = findJob(platform, name, options['plugin'] as string | undefined)
    const result = await runOnce({ platform, context, signal }, { plugin, job })
    const summary = summaryOf(result)
    const json = { plugin, job, ...summary }
    const text = textOf(`${plugin}.${job}`, summary)
    return { text, json, failed: summary.outcome !== 'done' }
  }
}

/** `plugin.job`, or `job` where one plugin alone has it. */
function findJob({ plugins }: FoundPlatform, name: string, plugin: string | undefined): JobName {
  const all = plugins
    .filter(({ id }) => plugin === undefined || id === plugin)
    .flatMap(({ id, manifest }) =>
      (manifest.jobs ?? []).map((job) => ({ plugin: id, job: job.name }))
    )
  const found = all.filter((each) => name === nameOf(each) || name === each.job)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first !== undefined) {
    const names = found.map(nameOf).join(', ')
    throw errors.KRN_CLI_JOB_SEVERAL({ job: name, names, first: nameOf(first) })
  }
  throw errors.KRN_CLI_JOB_UNKNOWN({ job: name, hint: hintFor(name, all.map(nameOf)) })
}

const nameOf = ({ plugin, job }: JobName) => `${plugin}.${job}`

function hintFor(name: string, names: readonly string[]): string {
  const near = nearestName(name, names) ?? nearestJob(name, names)
  if (near !== undefined) return `Did you mean ${near}?`
  return names.length === 0 ? 'No plugin here declares jobs.' : `The jobs are: ${names.join(', ')}.`
}

/** For a name without its plugin. */
function nearestJob(name: string, names: readonly string[]): string | undefined {
  const jobs = new Map(names.map((each) => [each.slice(each.indexOf('.') + 1), each]))
  const near = nearestName(name, [...jobs.keys()])
  return near === undefined ? undefined : jobs.get(near)
}

interface JobHost {
  readonly platform: FoundPlatform
  readonly context: CommandContext
  readonly signal: AbortSignal
}

/** Nothing runs by itself in a process that was started for one job. */
const idleTicker: Ticker = { start: async () => {}, stop: async () => {} }

async function runOnce(
  { platform, context, signal }: JobHost,
  { plugin, job }: JobName
): Promise<JobResult | undefined> {
  const log: FastifyBaseLogger = commandLog()
  const app = Fastify({ loggerInstance: log })
  const kernel = createKernel(
    { config: platform.read.source, role: 'worker', resolveViewer: () => null, signal },
    {
      env: context.env,
      ticker: idleTicker,
      async connect(...given) {
        const storage = await connectStorage(...given)
        await nameDatabase(platform, storage)
        return storage
      }
    }
  )
  const stop = () => void app.close()
  try {
    await app.register(kernel)
    await app.ready()
    signal.addEventListener('abort', stop, { once: true })
    return await kernelOf(app).schedule.runJob(plugin, job)
  } finally {
    signal.removeEventListener('abort', stop)
    await app.close()
  }
}

interface JobSummary {
  readonly outcome: JobResult['outcome']['kind'] | 'busy'
  readonly durationMs: number
  readonly reason?: string
}

function summaryOf(result: JobResult | undefined): JobSummary {
  if (result === undefined) return { outcome: 'busy', durationMs: 0 }
  const { outcome } = result
  const durationMs = Math.round(result.durationMs)
  if (!('error' in outcome)) return { outcome: outcome.kind, durationMs }
  return { outcome: outcome.kind, durationMs, reason: reasonOf(outcome.error) }
}

function textOf(name: string, { outcome, durationMs, reason }: JobSummary): string {
  const seconds = `${(durationMs / 1000).toFixed(2)} s`
  switch (outcome) {
    case 'done':
      return `${name} is done in ${seconds}.`
    case 'failed':
    case 'timeout':
      return `${name} failed after ${seconds}: ${reason ?? ''}`
    case 'returned':
      return `${name} was stopped after ${seconds}.`
    case 'busy':
      return `${name} runs in another process now. Nothing was done; try again when that run has ended.`
  }
}
