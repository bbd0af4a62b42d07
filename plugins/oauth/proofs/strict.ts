// Clients that are held to the security profile of FAPI 2.0. Pure.

/** A client that is bound to pushed requests and to a key, as FAPI 2.0 asks: it is held to the rest as well. */
export const isStrict = (client: {
  readonly requirePushedAuthorizationRequests?: boolean | undefined
  readonly dpopBoundAccessTokens?: boolean | undefined
}): boolean =>
  client.requirePushedAuthorizationRequests === true && client.dpopBoundAccessTokens === true
