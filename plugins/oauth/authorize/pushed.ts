// Pushed authorization requests (RFC 9126): kept under a handle, used by the client that pushed them.
import { hashOf, isHandle, newHandle } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import { type Parameters, parametersOf } from './parameters.ts'

export const PUSHED_PREFIX = 'urn:ietf:params:oauth:request_uri:'

/** Credentials of the client: they are not part of the request and are not kept. */
const NOT_KEPT = new Set(['client_secret', 'client_assertion', 'client_assertion_type'])

export async function keepPushed(
  { pairs }: Parameters,
  clientId: string,
  dpopJkt: string | undefined,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<string> {
  const handle = newHandle()
  const kept = pairs.filter(([name]) => !NOT_KEPT.has(name) && name !== 'client_id')
  const hasJkt = kept.some(([name]) => name === 'dpop_jkt')
  const jkt = dpopJkt === undefined || hasJkt ? [] : ([['dpop_jkt', dpopJkt]] as const)
  await collections.pushed.insertOne({
    _id: hashOf(handle),
    clientId,
    parameters: [...kept, ['client_id', clientId], ...jkt],
    expiresAt: new Date(settings.now().getTime() + settings.ttl.pushedRequest * 1000)
  })
  return `${PUSHED_PREFIX}${handle}`
}

/** The pushed request behind a handle; undefined when it is unknown, expired, or another client's. */
export async function findPushed(
  requestUri: string,
  clientId: string,
  { collections, settings }: Pick<Services, 'collections' | 'settings'>
): Promise<Parameters | undefined> {
  const handle = requestUri.slice(PUSHED_PREFIX.length)
  if (!isHandle(handle)) return undefined
  const row = await collections.pushed.findOne({ _id: hashOf(handle), clientId })
  if (row === null || row.expiresAt <= settings.now()) return undefined
  return parametersOf(row.parameters)
}

/** A pushed request is used once: only one of any number of calls takes it. */
export async function takePushed(
  requestUri: string,
  { collections }: Pick<Services, 'collections'>
): Promise<boolean> {
  const _id = hashOf(requestUri.slice(PUSHED_PREFIX.length))
  return (await collections.pushed.deleteOne({ _id })).deletedCount === 1
}
