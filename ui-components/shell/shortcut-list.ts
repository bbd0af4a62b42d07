// The list of keys that `?` shows.
import { html, type TemplateResult } from 'lit'
import {
  chooseSingleKeys,
  hasSingleKeys,
  type Shortcut,
  shortcutsInForce
} from '../controllers/shortcuts.ts'
import { controls } from '../controls.ts'
import { KeelsonDialog } from '../elements/dialog/element.ts'
import { KeelsonElement } from '../elements/element.ts'
import { shortcutListStyles } from './shortcut-list-styles.ts'

/** A dialog of the shortcuts in force at the moment it opens. */
export class KeelsonShortcutList extends KeelsonElement {
  static readonly tag = 'keelson-shortcut-list'
  static readonly uses = [KeelsonDialog]
  static override readonly styles = [controls, shortcutListStyles]
  static override readonly properties = { _list: { state: true } }
  declare _list: readonly Shortcut[] | undefined

  constructor() {
    super()
    this._list = undefined
  }

  show(): void {
    this._list = shortcutsInForce()
  }

  override render(): TemplateResult {
    return html`<keelson-dialog
      heading=${this.t('shell.shortcuts')}
      ?open=${this._list !== undefined}
      @keelson-close=${(event: Event) => {
        event.stopPropagation()
        this._list = undefined
      }}
    >
      <label class="row">
        <input
          type="checkbox"
          .checked=${hasSingleKeys()}
          @change=${({ target }: Event) => chooseSingleKeys((target as HTMLInputElement).checked)}
        />${this.t('shell.singleKeys')}
      </label>
      <dl>
        ${(this._list ?? []).map(({ keys, label }) => html`<div><dt><kbd>${keyName(keys)}</kbd></dt><dd>${label}</dd></div>`)}
      </dl>
    </keelson-dialog>`
  }
}

function keyName(keys: string): string {
  const isApple = /Mac|iP(hone|ad)/.test(navigator.platform)
  const named = keys.replace('mod+', isApple ? '⌘ ' : 'Ctrl ')
  return named.length === 1 ? named.toUpperCase() : named
}
