// Where events are sent to, by the configuration. Pure.
import { hashOf } from '../crypto/handles.ts'
import type { OAuthHostConfig } from './schema.ts'

/** An address that events are sent to. */
export interface EventWebhook {
  /** The same as long as its address and format are. */
  readonly id: string
  readonly url: string
  readonly secret: string | undefined
  readonly format: 'json' | 'caep'
  readonly audience: string | undefined
  readonly types: readonly string[] | undefined
  /** The tenant whose people the events are about. */
  readonly tenant: string | undefined
}

export function webhooksOf({ events }: OAuthHostConfig): readonly EventWebhook[] {
  return (events?.webhooks ?? []).map(
    ({ url, secret, format = 'json', audience, types, tenant }) => {
      const id = hashOf([url, format, audience ?? '', tenant ?? ''].join('\n'))
      return { id, url, secret, format, audience, types, tenant }
    }
  )
}
