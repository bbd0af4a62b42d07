// The API of Digest plugin. `keelson build` writes it into plugin.json; /openapi.json shows it.
import { type Call, type Operation, operation } from '@keelson/sdk'
import { countErrors, type DigestReader } from '../digest.ts'
import { digestSchema } from '../schemas.ts'
import { refusals } from './refusals.ts'

/** What the operations are served with; no reader where the platform has no telemetry. */
export interface DigestHost {
  readonly reader: DigestReader | undefined
}

const count = operation({
  id: 'digest-plugin.errors.count',
  method: 'GET',
  path: '/api/errors',
  summary: 'The errors of the last hours, by service',
  access: { auth: 'viewer' },
  effect: 'read',
  answer: digestSchema,
  errors: refusals.only('no_telemetry'),
  async run(_input, { host: { reader }, actor }: Call<DigestHost>) {
    if (reader === undefined) return refusals.refuse('no_telemetry')
    return countErrors(reader, actor.tenantId)
  }
})

/** The operations of the plugin. */
export const digestOperations: readonly Operation<DigestHost>[] = [count]
