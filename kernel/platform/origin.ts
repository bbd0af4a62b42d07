// Decides whether a change that a cookie signs comes from a page of this host.

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

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
  readonly origin: string | undefined
  readonly hasCookie: boolean
}

/** Makes the rule from the config; an address that is none is left out. */
export function originRule(
  publicUrl: string | undefined,
  embedOrigins: readonly string[]
): OriginRule {
  const origins = embedOrigins.map(originOf).filter((origin) => origin !== undefined)
  return { publicOrigin: originOf(publicUrl), embedOrigins: new Set(origins) }
}

/** The origin of an address (`https://a.example:8443`); undefined when it has none. */
export function originOf(address: string | undefined): string | undefined {
  if (address === undefined || address === '' || !URL.canParse(address)) return undefined
  const { origin } = new URL(address)
  return origin === 'null' ? undefined : origin
}

/**
 * Whether the request may go on. Only requests that change something and carry a cookie are asked;
 * they must name an origin, and it must be this host's or one that may embed. A missing or opaque
 * origin (`null`) is none.
 */
export function isOriginRight(rule: OriginRule, request: OriginRequest): boolean {
  if (!request.hasCookie || SAFE_METHODS.has(request.method)) return true
  const { origin } = request
  if (origin === undefined || origin === 'null') return false
  if (origin === rule.publicOrigin || rule.embedOrigins.has(origin)) return true
  return request.host !== undefined && origin === originOf(`${request.protocol}://${request.host}`)
}
