// The registrable domain of a host name, by the Public Suffix List, which the first question loads.
import { createRequire } from 'node:module'
import { atFirstUse } from '@keelson/sdk'

const require = createRequire(import.meta.url)
const suffixes = atFirstUse(() => require('tldts') as typeof import('tldts'))

/** `example.co.uk` of `mail.example.co.uk`; null of an address and of a name that is a suffix. */
export const registrableDomain = (host: string): string | null => suffixes().getDomain(host)
