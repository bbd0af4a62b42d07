// Looks up the names of the sources that fail most.
import type { DmarcContext } from '../context.ts'
import { createDns } from '../dns/dns-lookup.ts'
import { readFailing } from '../overview/read-sources.ts'
import { refreshReverseNames } from '../sources/reverse-names.ts'

const SOURCES = 200

export async function lookUpSources(
  context: DmarcContext,
  /** Null: nothing is asked. */
  servers: readonly string[] | undefined | null,
  signal: AbortSignal
): Promise<void> {
  if (servers === null) return
  const sources = await readFailing(context, SOURCES)
  const ips = sources.map(({ sourceIp }) => sourceIp)
  await refreshReverseNames(context, ips, createDns({ servers, signal }), signal)
}
