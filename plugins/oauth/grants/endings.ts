// The events by which access or a session ends, with who begins it. Pure.

export type Beginner = 'admin' | 'user' | 'system'

/** Access ends by one of these alone. What is about a client has an event for each of its grants besides. */
export const ENDINGS = {
  'oauth.user_access_revoked': 'admin',
  'oauth.user_forgotten': 'admin',
  'oauth.grant_revoked': 'user',
  'oauth.context_revoked': 'system',
  'oauth.unknown_person': 'system',
  'oauth.token_revoked': 'system',
  'oauth.refresh_reuse_detected': 'system',
  'oauth.refresh_wrong_client': 'system',
  'oauth.code_replay_detected': 'system',
  'oauth.client_disabled': 'admin',
  'oauth.client_deleted': 'admin'
} as const satisfies Readonly<Record<string, Beginner>>

export type EndingType = keyof typeof ENDINGS

/** Ends the session of the browser, and no access. */
const SIGNED_OUT = 'oauth.signed_out'

/** Who begins what an event tells; undefined for one that ends nothing. */
export const beginnerOf = (type: string): Beginner | undefined =>
  type === SIGNED_OUT ? 'user' : (ENDINGS as Readonly<Record<string, Beginner>>)[type]
