// The bodies that chat services take. Pure.

/** Which service a webhook belongs to. `json`: none; it takes the message as it is. */
export const WEBHOOK_FORMATS = [
  'json',
  'slack',
  'mattermost',
  'teams',
  'discord',
  'google-chat'
] as const

/** Which service a webhook belongs to. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** Discord refuses longer ones. */
const DISCORD_CHARACTERS = 2_000

/** The body for a service: `text` for people, `message` for programs. */
export function webhookBody(
  format: WebhookFormat,
  { text, message }: { readonly text: string; readonly message: object }
): object {
  if (format === 'json') return message
  return format === 'discord' ? { content: text.slice(0, DISCORD_CHARACTERS) } : { text }
}
