// Connects the deliverability plugins of the demo to its stand-ins for receivers, as an operator does: by their settings.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from './platform.ts'

const API = '/platform/api/plugins'
const ADDRESS = '192.0.2.10'
const LONGEST_MS = 60_000
const LOOK_MS = 250
/** So often in a row the answers are of the new process before the old one counts as gone: both take connections. */
const ANSWERS_IN_A_ROW = 12

interface State {
  readonly isServed: boolean
  readonly running: number
  readonly wanted: number
}

/**
 * Resolves when the demo runs with the settings.
 *
 * @param operator administrator of the platform
 * @returns false for a demo that applies them at its next start alone
 */
export async function connectReceivers({ url, call }: Platform): Promise<boolean> {
  const set = async (plugin: string, values: Readonly<Record<string, unknown>>) => {
    const settings = Object.entries(values).map(([path, value]) => ({ path, value }))
    await call('POST', `${API}/${plugin}/settings`, { settings })
  }
  await set('block-lists', {
    dnsServers: `127.0.0.1:${new URL(url).port}`,
    dedicatedIps: [ADDRESS]
  })
  await set('postmaster', { baseUrl: `${url}/receivers/gmail` })
  await set('snds', { baseUrl: `${url}/receivers/outlook` })
  const until = performance.now() + LONGEST_MS
  let inARow = 0
  for (;;) {
    const { isServed, running, wanted } = (await call('GET', API)).body as State
    inARow = running >= wanted ? inARow + 1 : 0
    if (inARow >= ANSWERS_IN_A_ROW) return true
    if (!isServed || performance.now() > until) return false
    await sleep(LOOK_MS)
  }
}
