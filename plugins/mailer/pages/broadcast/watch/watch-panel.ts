// What became of a broadcast, as an element of its own: loaded when a broadcast has started.
import {
  controls,
  define,
  KeelsonElement,
  KeelsonEmpty,
  KeelsonTable,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { registerLeftOutWords } from '../../left-out/words.ts'
import { registerMailEnd } from '../../mail-end.ts'
import { pageStyles } from '../../styles.ts'
import { leftOutTable } from './left-out-table.ts'
import { outcome } from './outcome.ts'
import { progressCard } from './progress-card.ts'
import { recipientTable } from './recipient-table.ts'
import { reportCards } from './report-cards.ts'
import { splitTestCard } from './split-test-card.ts'
import { stopRuleCard } from './stop-rule-card.ts'
import { watchStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import type { WatchView } from './view.ts'

class BroadcastWatch extends KeelsonElement {
  static override readonly styles = [controls, pageStyles, watchStyles]
  static override readonly properties = { view: { attribute: false } }
  declare view: WatchView | undefined

  protected override render(): TemplateResult | typeof nothing {
    const { view } = this
    if (view === undefined) return nothing
    return html`<div class="parts">
      ${progressCard(view)}
      <div class="rules">${stopRuleCard(view)} ${splitTestCard(view)}</div>
      ${outcome(view)} ${reportCards(view)}
      ${view.isLeftOut ? leftOutTable(view) : recipientTable(view)}
    </div>`
  }
}

/** Defines the element and its texts. Cheap to call again. */
export function defineWatchPanel(): void {
  registerLeftOutWords()
  registerMailEnd()
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
  define(KeelsonTable, KeelsonEmpty)
  if (customElements.get('mailer-broadcast-watch') === undefined)
    customElements.define('mailer-broadcast-watch', BroadcastWatch)
}
