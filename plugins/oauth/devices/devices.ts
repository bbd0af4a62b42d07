// Devices that wait for a person (RFC 8628): asked for, found by the code that a person types, decided once, redeemed once.

import { hashOf, isHandle, newHandle } from '../crypto/handles.ts'
import type { Services } from '../services.ts'
import type { OAuthClient, OAuthRequest, StoredDevice } from '../storage/rows.ts'
import { newUserCode } from './user-code.ts'

type Parts = Pick<Services, 'collections' | 'settings'>

/** What a device asks for. */
export interface DeviceRequest {
  readonly client: OAuthClient
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly attemptId: string
}

const TRIES = 3

/** Keeps the request of a device; the codes are for the device. */
export async function openDevice(
  { client, scopes, resources, attemptId }: DeviceRequest,
  { collections, settings }: Parts
): Promise<{ readonly deviceCode: string; readonly userCode: string }> {
  const now = settings.now()
  const { ttlSeconds = 600, intervalSeconds = 5 } = settings.device ?? {}
  for (let tries = 1; ; tries++) {
    const [deviceCode, userCode] = [newHandle(), newUserCode()]
    try {
      await collections.devices.insertOne({
        _id: hashOf(deviceCode),
        userCode: hashOf(userCode),
        clientId: client.clientId,
        scopes,
        resources,
        attemptId,
        status: 'waiting',
        intervalSeconds,
        expiresAt: new Date(now.getTime() + ttlSeconds * 1000),
        createdAt: now
      })
      return { deviceCode, userCode }
    } catch (error) {
      // Another device has this code at the moment.
      if ((error as { code?: number }).code !== 11000 || tries >= TRIES) throw error
    }
  }
}

/** The waiting request behind a code that a person typed. */
export async function findDevice(
  userCode: string,
  { collections, settings }: Parts
): Promise<StoredDevice | undefined> {
  const row = await collections.devices.findOne({ userCode: hashOf(userCode) })
  return row !== null && row.status === 'waiting' && row.expiresAt > settings.now()
    ? row
    : undefined
}

/** What a person decided. Resolves with false when the device no longer waits. */
export async function decideDevice(
  deviceId: string,
  decision: Partial<StoredDevice> & Pick<StoredDevice, 'status'>,
  { collections, settings }: Parts
): Promise<boolean> {
  const waiting = { _id: deviceId, status: 'waiting', expiresAt: { $gt: settings.now() } } as const
  const { modifiedCount } = await collections.devices.updateOne(waiting, { $set: decision })
  return modifiedCount === 1
}

export type DevicePoll =
  | { readonly kind: 'approved'; readonly row: StoredDevice }
  | {
      readonly kind: 'refused'
      readonly error: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token'
    }
  | { readonly kind: 'unknown' }

const refused = (error: Extract<DevicePoll, { kind: 'refused' }>['error']): DevicePoll => ({
  kind: 'refused',
  error
})

/** One poll of a device; an approved request is given out once. */
export async function pollDevice(
  deviceCode: string,
  { clientId }: Pick<OAuthClient, 'clientId'>,
  { collections, settings }: Parts
): Promise<DevicePoll> {
  if (!isHandle(deviceCode)) return { kind: 'unknown' }
  const { devices } = collections
  const now = settings.now()
  const own = { _id: hashOf(deviceCode), clientId }
  const row = await devices.findOneAndUpdate(
    own,
    { $set: { polledAt: now } },
    { returnDocument: 'before' }
  )
  if (row === null) return { kind: 'unknown' }
  if (row.expiresAt <= now) return refused('expired_token')
  const { polledAt, intervalSeconds, status } = row
  if (polledAt !== undefined && now.getTime() - polledAt.getTime() < intervalSeconds * 1000) {
    await devices.updateOne(own, { $set: { intervalSeconds: intervalSeconds + 5 } })
    return refused('slow_down')
  }
  if (status === 'waiting') return refused('authorization_pending')
  const taken = await devices.findOneAndDelete({ ...own, status })
  if (taken === null) return { kind: 'unknown' }
  return status === 'approved' ? { kind: 'approved', row: taken } : refused('access_denied')
}

/** The address that stands for a device in place of a callback; nothing is ever sent there. */
export const deviceCallback = ({ base }: Pick<Services['settings'], 'base'>): string =>
  `${base}/device`

/** Whether a request for consent is that of a device. */
export const isOfDevice = (row: Pick<OAuthRequest, 'deviceId'>): boolean =>
  row.deviceId !== undefined
