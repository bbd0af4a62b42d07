// The stand-in for the mailer in keelson check --start: plugins around the mailer are asked as it asks them.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { KeelsonConfig, KeelsonError, KeelsonPlugin, Manifest } from '@keelson/sdk'
import { reasonOf } from '@keelson/sdk/queue'
import { errors } from '../errors/errors.ts'
import { usedBy } from '../platform/agreement.ts'
import type { Findings } from './exercise.ts'

/** The part of `@keelson/mailer/testing` that is used here. */
export interface StandIn {
  readonly plugin: KeelsonPlugin
  askSendGates(): Promise<unknown>
  askPublishGates(): Promise<unknown>
  readSetup(): Promise<unknown>
  tick(): Promise<void>
}

/** Undefined for a plugin without the mailer, beside the mailer itself, and where the package is not installed. */
export async function findStandIn(
  folder: string,
  manifest: Manifest,
  { plugins = {} }: KeelsonConfig
): Promise<StandIn | undefined> {
  const isAround = usedBy(manifest).some(({ capability }) => capability.startsWith('mailer.'))
  if (!isAround || plugins['mailer'] !== undefined) return undefined
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('@keelson/mailer/testing')
    const { createMailerStandIn } = (await import(pathToFileURL(file).href)) as {
      createMailerStandIn(): StandIn
    }
    return createMailerStandIn()
  } catch {
    return undefined
  }
}

/** Asks what the plugin contributes, once each. */
export async function askContributions(plugin: string, standIn: StandIn): Promise<Findings> {
  const questions: readonly (readonly [what: string, path: string, ask: () => Promise<unknown>])[] =
    [
      ['a send gate', 'mailer.send-gate/v1', () => standIn.askSendGates()],
      ['a publish gate', 'mailer.publish-gate/v1', () => standIn.askPublishGates()],
      ['a setup check', 'mailer.setup-check/v1', () => standIn.readSetup()],
      ['a task of the tick', 'mailer.tick/v1', () => standIn.tick()]
    ]
  const faults: KeelsonError[] = []
  for (const [what, path, ask] of questions) {
    const cause = await ask().then(failedGate, (error: unknown) => error)
    if (cause === undefined) continue
    const reason = reasonOf(cause).replace(/\.$/, '')
    faults.push(errors.KRN_CLI_CONTRIBUTION_FAILED({ plugin, path, what, reason, cause }))
  }
  return { faults, notes: [] }
}

/** A gate that throws holds the mail: the stand-in says so in its answer. */
function failedGate(answer: unknown): unknown {
  const { error, message } = (answer ?? {}) as {
    readonly error?: string
    readonly message?: string
  }
  return error === 'gate_failed' ? new Error(message) : undefined
}
