// The configuration in force, in sections and words, each setting with where it is changed; the raw one is folded away.
import type { Format } from '@keelson/ui'
import { registerCatalog } from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import { linesOf, type Setting, type SettingLine, type Words } from './setting-lines.ts'
import { SECTIONS } from './setting-sections.ts'
import texts from './setting-texts.en.json' with { type: 'json' }

/** Of `configurationCard`. */
export const configurationStyles = css`
  .settings { margin: 0; padding: 0 14px 6px; }
  .settings h3 { margin: 14px 0 2px; font-size: 12px; color: var(--_ink-2); }
  .settings dl { margin: 0; }
  .settings dl > div { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); gap: 2px 18px; padding: 8px 0; border-block-end: 1px solid var(--_hair); }
  .settings dl > div:last-child { border-block-end: 0; }
  .settings dt, .settings dd { margin: 0; overflow-wrap: anywhere; }
  .settings dt b { font-weight: 600; }
  .settings small { display: block; color: var(--_ink-2); font-size: inherit; }
  .settings code { font-size: 11px; color: var(--_ink-3); }
  .settings dd p { margin: 0; }
  .settings dd p + p { margin-block-start: 2px; }
  .settings .usual { color: var(--_ink-3); }
  details.raw { padding: 8px 14px; border-block-start: 1px solid var(--_hair); }
  details.raw summary { cursor: pointer; color: var(--_ink-2); }
  details.raw pre { overflow-x: auto; margin: 8px 0 0; font-size: 12px; }
  @media (max-width: 560px) { .settings dl > div { grid-template-columns: minmax(0, 1fr); } }
`

interface Told {
  readonly t: Words
  readonly format: Format
}

/** The card. */
export function configurationCard(settings: readonly Setting[], told: Told): TemplateResult {
  const { t } = told
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  const raw = Object.fromEntries(
    settings.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))
  )
  return html`<section class="card" aria-label=${t('setting.config')}>
    <header><h2>${t('setting.config')}</h2><span class="quiet">${t('setting.note')}</span></header>
    <div class="settings">
      ${Object.entries(SECTIONS).map(
        ([section, names]) => html`<h3>${t(`setting.section.${section}`)}</h3>
          <dl>${names.map((name) => one(byName.get(name), told))}</dl>`
      )}
    </div>
    <details class="raw"><summary>${t('setting.raw')} <span class="dim">${t('setting.secrets')}</span></summary>
      <pre tabindex="0" aria-label=${t('setting.raw')}>${JSON.stringify(raw, null, 2)}</pre></details>
  </section>`
}

function one(setting: Setting | undefined, told: Told): TemplateResult | typeof nothing {
  if (setting === undefined) return nothing
  const { t } = told
  const { name } = setting
  return html`<div>
    <dt><b>${t(`setting.of.${name}`)}</b><small>${t(`setting.what.${name}`)}</small><code title=${t('setting.where', { path: name })}>${name}</code></dt>
    <dd>${linesOf(setting, told).map((line) => html`<p>${lineView(line, told)}</p>`)}</dd>
  </div>`
}

function lineView({ part, value, isSet, usual }: SettingLine, { t }: Told): TemplateResult {
  const words = isSet ? html`<span>${value}</span>` : html`<span class="usual">${value}</span>`
  const note =
    usual === true ? t('setting.usual') : usual && t('setting.wasUsual', { value: usual })
  return html`${part === undefined ? nothing : html`<span class="quiet">${part}:</span> `}${words}
    ${note ? html`<span class="usual">· ${note}</span>` : nothing}`
}

/** Adds the texts; cheap to call again. */
export const registerSettingTexts = (): void =>
  registerCatalog('en', texts, {
    de: () => import('./setting-texts.de.json', { with: { type: 'json' } })
  })
