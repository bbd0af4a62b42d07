// Runs what a plugin does by itself or without parameters: each job once, each GET route, each health check.
import { pathToFileURL } from 'node:url'
import { KeelsonError, type Manifest, type ManifestRoute } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import type { FastifyInstance } from 'fastify'
import { errors } from '../errors/errors.ts'
import { kernelOf } from '../lifecycle/attach.ts'
import { mountOf, routeAddress } from '../platform/addresses.ts'

/** What was found, and what could not be tried. */
export interface Findings {
  readonly faults: readonly KeelsonError[]
  readonly notes: readonly string[]
}

export interface ExercisedPlugin {
  readonly app: FastifyInstance
  readonly manifest: Manifest
  /** Where its files are. */
  readonly folder: string
  /** The mount that the config gives it. */
  readonly mount: string | undefined
  /** Says what the last request failed with, and forgets it. */
  takeError(): unknown
}

const ANSWER_MS = 10_000
const CALLABLE: ReadonlySet<ManifestRoute['auth']> = new Set(['public', 'viewer', 'admin'])

export async function exercise(plugin: ExercisedPlugin): Promise<Findings> {
  const found: Findings[] = [await stateOf(plugin)]
  for (const route of plainRoutes(plugin.manifest)) found.push(await callRoute(plugin, route))
  for (const [at, { name }] of (plugin.manifest.jobs ?? []).entries()) {
    found.push(await runJob(plugin, name, `jobs[${at}]`))
  }
  return {
    faults: found.flatMap(({ faults }) => faults),
    notes: found.flatMap(({ notes }) => notes)
  }
}

/** Nothing was found. */
export const NOTHING: Findings = { faults: [], notes: [] }

/** Routes that can be called without knowing anything: GET, no parameters, open to a signed-in admin. */
function plainRoutes({ routes = [] }: Manifest): readonly ManifestRoute[] {
  return routes.filter(
    ({ method, auth, path = '', at = '' }) =>
      method === 'GET' && CALLABLE.has(auth) && !/[:*]/.test(`${path}${at}`)
  )
}

/** A plugin that started and is not as it should be. */
async function stateOf({ app, manifest }: ExercisedPlugin): Promise<Findings> {
  const all = await kernelOf(app).health()
  const state = all.find(({ id }) => id === manifest.id)
  const { code, reason = '', remedy = '', checks = [] } = state ?? {}
  const notes = checks
    .filter((check) => check.state !== 'ok')
    .map((check) => `The health check ${check.name} is ${check.state}: ${check.reason ?? ''}`)
  if (code === undefined) return { faults: [], notes }
  const row = { message: reason, remedy, status: 500 }
  return {
    faults: [new KeelsonError(code, row, { plugin: manifest.id, path: 'plugin.json' })],
    notes
  }
}

async function callRoute(plugin: ExercisedPlugin, route: ManifestRoute): Promise<Findings> {
  const { app, manifest, takeError } = plugin
  const url = routeAddress({ mount: mountOf(manifest, plugin.mount), prefix: '' }, route)
  const name = `GET ${url}`
  const signal = AbortSignal.timeout(ANSWER_MS)
  try {
    takeError()
    const { statusCode, payload } = await app.inject({ method: 'GET', url, signal })
    if (statusCode < 500) return NOTHING
    const error = takeError()
    // Nothing was thrown: the plugin refuses, as one does that lacks another plugin.
    if (error === undefined) {
      return { faults: [], notes: [`${name} answers ${statusCode}: ${payload.slice(0, 200)}`] }
    }
    return findingOf({ error, what: name, folder: plugin.folder }, (reason, cause) =>
      errors.KRN_CLI_ROUTE_FAILED({
        plugin: manifest.id,
        path: name,
        route: name,
        status: statusCode,
        reason,
        cause
      })
    )
  } catch (error) {
    if (!signal.aborted) throw error
    return { faults: [], notes: [`${name} did not end its answer within ${ANSWER_MS / 1000} s.`] }
  }
}

async function runJob(
  { app, folder, manifest: { id } }: ExercisedPlugin,
  job: string,
  path: string
): Promise<Findings> {
  const result = await kernelOf(app).schedule.runJob(id, job)
  if (result === undefined || !('error' in result.outcome)) return NOTHING
  const { error } = result.outcome
  return findingOf({ error, what: `The job ${job}`, folder }, (reason, cause) =>
    errors.KRN_CLI_JOB_FAILED({ plugin: id, path, job, reason, cause })
  )
}

interface Failure {
  readonly error: unknown
  readonly what: string
  /** Of the plugin. */
  readonly folder: string
}

/** A failure for want of the outside is not one of the plugin; an error of the kernel speaks for itself. */
function findingOf(
  { error, what, folder }: Failure,
  describe: (reason: string, cause: unknown) => KeelsonError
): Findings {
  const chain = causesOf(error)
  const offline = chain.find((each) => KeelsonError.is(each) && each.code === 'KRN_CLI_OFFLINE')
  if (offline !== undefined) {
    return { faults: [], notes: [`${what} was not tried to its end: ${reasonOf(offline)}`] }
  }
  const known = chain.find((each): each is KeelsonError => KeelsonError.is(each))
  const reason = `${reasonOf(error).replace(/[.!]$/, '')}${placeOf(error, folder)}`
  return { faults: [known ?? describe(reason, error)], notes: [] }
}

/** Which line of the plugin threw it; empty for an error of a package. */
function placeOf(error: unknown, folder: string): string {
  const { stack = '' } = error instanceof Error ? error : {}
  const [, first = ''] = stack.split(`${pathToFileURL(folder).href}/`)
  const [, file = '', line] = /^([^:\n]+):(\d+)/.exec(first) ?? []
  return file === '' || file.startsWith('node_modules/') ? '' : ` (${file}, line ${line})`
}

/** The error, its cause, and so on. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let at = error; at !== undefined && at !== null && !chain.includes(at); ) {
    chain.push(at)
    at = at instanceof Error ? at.cause : undefined
  }
  return chain
}
