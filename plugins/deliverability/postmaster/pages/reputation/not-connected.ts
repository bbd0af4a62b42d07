// What a receiver would say, and the configuration that connects it.
import { css, html, type TemplateResult } from 'lit'

/** The receivers of the page, each with the plugin that reads it. */
const EXAMPLES = {
  gmail:
    '"postmaster": { "config": { "clientId": "…", "clientSecret": "${GOOGLE_SECRET}", "refreshToken": "${GOOGLE_TOKEN}" } }',
  outlook: '"snds": { "config": { "accessKey": "${SNDS_KEY}" } }'
} as const

/** In place of figures, while there is no account. */
export function notConnected(
  receiver: keyof typeof EXAMPLES,
  t: (key: string) => string
): TemplateResult {
  const example = EXAMPLES[receiver]
  return html`<section class="card"><keelson-empty heading=${t(`reputation.${receiver}Off`)} text=${t(`reputation.${receiver}OffText`)}>
    <p class="config"><code class="mono">${example}</code>
      <keelson-copy text=${example} label=${t('reputation.copyConfig')}></keelson-copy></p>
  </keelson-empty></section>`
}

export const configStyles = css`
  .config { display: inline-flex; gap: 8px; align-items: center; max-inline-size: min(100%, 60ch); padding: 6px 10px; border-radius: var(--_radius); background: var(--_sunken); text-align: start; }
  .said { display: flex; gap: 10px; align-items: baseline; padding: 10px 14px; background: var(--_warn-soft); border-color: transparent; }
  .said svg { color: var(--_warn); flex: none; align-self: center; }
  .said.trip { background: var(--_bad-soft); }
  .said.trip svg { color: var(--_bad); }
  .config code { min-inline-size: 0; overflow-wrap: anywhere; }
`
