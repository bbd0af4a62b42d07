// A new secret with what it is used in: shown once.
import { plainName, shownOnce } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FreshTokenAnswer } from '../../operations/token-operations.ts'
import { curlLine, type Endpoints, mcpConfig } from './snippets.ts'
import type { T } from './words.ts'

export interface FreshOptions extends FreshTokenAnswer {
  readonly isNew: boolean
  /** Undefined until they are known. */
  readonly endpoints: Endpoints | undefined
  readonly t: T
  onClose(): void
}

export function freshDialog(options: FreshOptions): TemplateResult {
  const { token, secret, isNew, endpoints, t, onClose } = options
  const shown = (name: string, text: string) =>
    shownOnce({ label: t(`fresh.${name}`), text, copy: t(`fresh.copy.${name}`) })
  return html`<keelson-dialog
    open
    heading=${t(isNew ? 'fresh.created' : 'fresh.rotated', { name: plainName(token.name) })}
    width="560"
    @keelson-close=${onClose}
  >
    <p>${t('fresh.text')}</p>
    ${shown('secret', secret)}
    ${
      endpoints === undefined
        ? nothing
        : html`${shown('curl', curlLine(secret, endpoints))}
          ${shown('mcp', mcpConfig(secret, endpoints))}`
    }
    <button slot="actions" class="btn primary" @click=${onClose}>${t('fresh.done')}</button>
  </keelson-dialog>`
}
