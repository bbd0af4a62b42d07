// Decides whether a change that a browser may sign unasked comes from a page of this host. Pure.

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The origins whose pages may change something. */
export interface OriginRule {
  /** The address people see, when it differs from the Host header. */
  readonly publicOrigin: string | undefined
  /** Other origins that may call with credentials. */
  readonly embedOrigins: ReadonlySet<string>
}

/** The parts of a request that the rule looks at. */
export interface OriginRequest {
  readonly method: string
  readonly protocol: string
  readonly host: string | undefined
  readonly headers: {
    readonly origin?: string | undefined
    readonly cookie?: string | undefined
    readonly authorization?: string | undefined
    readonly 'sec-fetch-site'?: string | string[] | undefined
  }
}

/** Makes the rule from the config. Values that are not addresses are left out. */
export function originRule(
  publicUrl: string | undefined,
  embedOrigins: readonly string[]
): OriginRule {
  const origins = embedOrigins.map(urlOrigin).filter((origin) => origin !== undefined)
  return { publicOrigin: urlOrigin(publicUrl), embedOrigins: new Set(origins) }
}

/** The origin of an address (`https://a.example:8443`); undefined when it has none. */
export function urlOrigin(address: string | undefined): string | undefined {
  if (address === undefined || address === '' || !URL.canParse(address)) return undefined
  const { origin } = new URL(address)
  return origin === 'null' ? undefined : origin
}

/** Schemes of access tokens. A browser sends the others (Basic, Negotiate) on its own. */
export const TOKEN_SCHEME = /^(bearer|dpop) /i

/**
 * Whether a request may change something. An `Origin` that is there must be this host's or one that may embed,
 * whatever signs the request: browsers add cookies, Basic credentials, client certificates and the network they
 * are in without being asked. A missing `Origin` is right for programs only: requests without a cookie, and
 * without `Sec-Fetch-Site` of another site. Access tokens need no origin, because no browser adds them.
 */
export function isOriginRight(rule: OriginRule, request: OriginRequest): boolean {
  const { method, headers } = request
  if (SAFE_METHODS.has(method)) return true
  const { origin, cookie, authorization = '' } = headers
  const site = headers['sec-fetch-site']
  if (cookie === undefined) {
    if (origin === undefined && site === undefined) return true
    if (TOKEN_SCHEME.test(authorization)) return true
  }
  if (origin !== undefined && rule.embedOrigins.has(origin)) return true
  if (site === 'cross-site') return false
  if (origin !== undefined) return isOriginKnown(rule, request)
  return cookie === undefined && (site === 'same-origin' || site === 'none')
}

/**
 * Whether the `Origin` of a request, where it has one, is this host's or one of the rule. For what must come from
 * a known page whatever signs it; `isOriginRight` is for the rest.
 */
export function isOriginKnown(
  { publicOrigin, embedOrigins }: OriginRule,
  { protocol, host, headers: { origin } }: Omit<OriginRequest, 'method'>
): boolean {
  if (origin === undefined || embedOrigins.has(origin)) return true
  if (origin === 'null') return false
  if (origin === publicOrigin) return true
  return host !== undefined && origin === urlOrigin(`${protocol}://${host}`)
}
