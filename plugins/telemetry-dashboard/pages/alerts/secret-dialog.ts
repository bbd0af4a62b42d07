// The secret of a new webhook address, which is shown once.
import { html, nothing, type TemplateResult } from 'lit'

export function secretDialog(
  secret: string,
  t: (key: string) => string,
  close: () => void
): TemplateResult | typeof nothing {
  if (secret === '') return nothing
  return html`<keelson-dialog open heading=${t('alert.secret')} @keelson-close=${close}>
    <p>${t('alert.secretText')}</p>
    <div class="fresh">
      <code>${secret}</code>
      <keelson-copy text=${secret} label=${t('alert.secretCopy')}></keelson-copy>
    </div>
    <button slot="actions" class="btn primary" @click=${close}>${t('alert.secretDone')}</button>
  </keelson-dialog>`
}
