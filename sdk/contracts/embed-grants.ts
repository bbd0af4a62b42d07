// embeds.pages/v1 and embeds.grants/v1: pages that a token shows to people without an account, and who admits it.
import { Type } from '../typebox.ts'
import type { Viewer } from '../viewer.ts'
import {
  type Capability,
  defineCapability,
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from './contract.ts'

/** A page that may be shared, and what it needs to read. */
export interface SharedPage {
  /** The id of the page in the manifest of the plugin. */
  readonly page: string
  /** For people. */
  readonly title: string
  /** The one scope of what it reads: `telemetry:read`. Each of its operations names it. */
  readonly scope: string
  /** Ids of the operations that the page calls. Those with an effect other than `read` are refused. */
  readonly operations: readonly string[]
  /**
   * Set for a page that shows one thing of many, as one chart: the query parameters that its calls may vary. Who
   * shares it says the others, and a call must have exactly those. Left out: calls may ask what they like.
   */
  readonly varies?: readonly string[]
}

/** The pages of one plugin that may be shared. The plugin that gives the tokens owns it; declare the use as optional. */
export const embedsPages: ExtensionPoint<readonly SharedPage[]> = defineExtensionPoint<
  readonly SharedPage[]
>(
  'embeds.pages/v1',
  Type.Array(
    Type.Object({
      page: Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
      title: Type.String({ minLength: 1 }),
      scope: Type.String({ minLength: 1 }),
      operations: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
      varies: Type.Optional(Type.Array(Type.String({ minLength: 1 })))
    })
  )
)

/** What a token of an embed lets its bearer read. */
export interface EmbedGrant extends Pick<SharedPage, 'scope' | 'operations' | 'varies'> {
  /** Of one tenant, and never an administrator. */
  readonly viewer: Viewer
  /** With `varies`: the query parameters that each call has, and no others beside those. Default: none. */
  readonly query?: Readonly<Record<string, string>>
}

/** Tells the kernel what a token of an embed may read. */
export interface EmbedGrants {
  /** Null for a token that is unknown, expired or revoked. Asked for each request, so a revocation acts at once. */
  grantOf(token: string): Promise<EmbedGrant | null>
}

/** The plugin that gives the tokens provides it; the kernel asks it for viewer routes. */
export const embedsGrants: Capability<EmbedGrants> = defineCapability<EmbedGrants>(
  'embeds.grants/v1',
  Type.Object(requiredFunctions('grantOf'))
)

/** What each token of an embed begins with. */
export const EMBED_TOKEN_PREFIX = 'kse_'
