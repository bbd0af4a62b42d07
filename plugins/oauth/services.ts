// The parts of one OAuth host. Functions take the ones they use.
import type { DpopChecker } from '@keelson/protect/rules'
import type { Host } from '@keelson/sdk'
import type { fetch as undiciFetch } from 'undici'
import { type AttemptLog, createAttemptLog } from './attempts/attempt-log.ts'
import { createJournal, type Journal } from './audit/journal.ts'
import type { AssertionChecker } from './clients/assertion.ts'
import { createAssertionChecker } from './clients/assertion.ts'
import { type ClientStore, createClientStore } from './clients/client-store.ts'
import { createLogos, type Logos } from './clients/logos.ts'
import type { Settings } from './config/settings.ts'
import { createListeners, type Listeners } from './events/listeners.ts'
import { createOutbox, type Outbox, type OutboxParts } from './events/outbox.ts'
import { createRevocations, type Revocations } from './grants/revocations.ts'
import { createPages, type Pages } from './http/pages.ts'
import { createKeyRing, type KeyRing } from './keys/key-ring.ts'
import { createServerSecret, type ServerSecret } from './keys/server-secret.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import { createGuardedFetch } from './metadata-clients/guarded-fetch.ts'
import { createHostList, type HostList } from './metadata-clients/host-list.ts'
import { createIssuerAddresses } from './metadata-clients/issuer-keys.ts'
import { createMetadataClients, type MetadataClients } from './metadata-clients/metadata-clients.ts'
import { createRemoteKeys } from './metadata-clients/remote-keys.ts'
import { createServerDpop } from './proofs/dpop.ts'
import { createReplayBook, type ReplayBook } from './proofs/replay-book.ts'
import { createDirectory, type Directory } from './scim/directory.ts'
import type { OAuthCollections } from './storage/collections.ts'
import { createPolicies, type Policies } from './tenants/policies.ts'
import { createIdJagChecker, type IdJagChecker } from './tokens/id-jag.ts'
import { createLiveTokens, type LiveTokens } from './tokens/live-tokens.ts'
import { createRevocationWatch, type RevocationWatch } from './tokens/revocation-watch.ts'

export interface Services {
  readonly settings: Settings
  readonly collections: OAuthCollections
  readonly journal: Journal
  readonly listeners: Listeners
  /** Users of identity providers. */
  readonly directory: Directory
  /** Events and logout tokens on their way out. */
  readonly outbox: Outbox
  readonly attempts: AttemptLog
  readonly revocations: Revocations
  readonly secret: ServerSecret
  readonly keys: KeyRing
  readonly limiter: Limiter
  readonly assertions: AssertionChecker
  readonly dpop: DpopChecker
  readonly replays: ReplayBook
  /** Identity assertions of trusted issuers. */
  readonly idJag: IdJagChecker
  readonly live: LiveTokens
  readonly watch: RevocationWatch
  readonly clients: ClientStore
  readonly metadataClients: MetadataClients | undefined
  /** Hosts of metadata documents. */
  readonly hosts: HostList
  /** What tenants allow. */
  readonly policies: Policies
  readonly pages: Pages
  readonly logos: Logos
  isReady(): boolean
}

/** What the routes work with besides settings and collections. */
export interface Surroundings {
  readonly isReady: () => boolean
  /** Makes a limit that all processes share. */
  readonly limit: Host['limit']
  /** Fetches documents of clients. Default: a fetch that is made from the settings. */
  readonly fetchPublic?: typeof undiciFetch | undefined
  /** The queue of what is to be sent, and what sends it. Without them nothing leaves. */
  readonly openQueue?: OutboxParts['openQueue']
  readonly notify?: OutboxParts['notify']
}

/** Documents of identity providers are larger than those of clients. */
const ISSUER_LIMITS = { allowedHosts: [], fetchTimeoutMs: 5000, maxBytes: 65_536 }

/** Does not use database or network. */
export function createServices(
  settings: Settings,
  collections: OAuthCollections,
  { isReady, limit, fetchPublic, openQueue, notify }: Surroundings
): Services {
  const keys = createKeyRing(collections.keys, settings)
  const listeners = createListeners(settings)
  const outbox = createOutbox({ settings, collections, keys, listeners, openQueue, notify })
  const journal = createJournal(settings, collections.audit, outbox)
  const watch = createRevocationWatch(collections.state, settings)
  const revocations = createRevocations(settings, collections, watch)
  const secret = createServerSecret(settings.secret, collections.state)
  const replays = createReplayBook(collections.replays)
  const limiter = createLimiter(settings, limit)
  const fetchDocument = createGuardedFetch(settings.metadataClients, { fetchPublic })
  const fetchOfIssuers = createGuardedFetch(ISSUER_LIMITS, { fetchPublic })
  const issuerKeys = {
    addressOf: createIssuerAddresses(fetchOfIssuers, settings),
    source: createRemoteKeys(fetchOfIssuers, settings, limiter)
  }
  const hosts = createHostList(settings, collections.state)
  const remoteKeys = createRemoteKeys(fetchDocument, settings, limiter)
  return {
    settings,
    collections,
    journal,
    revocations,
    secret,
    limiter,
    isReady,
    pages: createPages(settings),
    logos: createLogos(settings, { fetchPublic }),
    attempts: createAttemptLog(settings, collections.attempts),
    keys,
    listeners,
    outbox,
    directory: createDirectory(settings, collections),
    assertions: createAssertionChecker(settings, replays, remoteKeys),
    replays,
    idJag: createIdJagChecker(settings, replays, issuerKeys),
    dpop: createServerDpop(settings, secret, replays),
    watch,
    live: createLiveTokens(settings, collections, watch),
    clients: createClientStore({ settings, collections, revocations, journal }),
    metadataClients:
      settings.metadataClients &&
      createMetadataClients({ settings, collections, limiter, journal, fetchDocument, hosts }),
    hosts,
    policies: createPolicies(settings, collections.state)
  }
}
