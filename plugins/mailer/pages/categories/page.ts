// The Categories page: what recipients choose from, with the templates and opt-outs of each.

import type { Static } from '@keelson/sdk'
import {
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { categorySchema } from '../../admin/setup/read-settings.ts'
import { mailHref } from '../addresses.ts'
import { listTable } from '../list-table.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** A category as the API answers it. */
type CategoryAnswer = Static<typeof categorySchema>

class CategoriesPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #api = mailApi(this)
  readonly #list = new ListLoad(this, {
    args: () => [] as const,
    idOf: ({ id }: CategoryAnswer) => id,
    page: async (_args, _after, signal) => ({
      items: await this.#api.read<readonly CategoryAnswer[]>('/categories', signal),
      nextCursor: null
    })
  })

  protected override get windowTitle(): string {
    return this.t('categories.title')
  }

  protected override content(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('categories.title')}></keelson-page-header>
      <div class="main">
        ${listTable({
          heading: this.t('categories.title'),
          note: this.t('categories.note'),
          columns: this.#columns(),
          list: this.#list,
          idOf: ({ id }) => id,
          href: ({ id }) => mailHref('suppressions', { scope: `category:${id}` }),
          empty: html`<keelson-empty slot="empty" heading=${this.t('categories.none')} text=${this.t('categories.noneText')}></keelson-empty>`
        })}
      </div>`
  }

  #columns(): TableColumn<CategoryAnswer>[] {
    return [
      {
        id: 'name',
        header: this.t('categories.name'),
        link: true,
        cell: ({ label }) => label,
        hint: ({ id, label }) => `${id}: ${this.t('categories.show', { category: label })}`
      },
      {
        id: 'description',
        header: this.t('categories.description'),
        grow: 2,
        quiet: true,
        hideBelow: 560,
        cell: ({ description = '–' }) => description,
        hint: ({ description }) => description
      },
      {
        id: 'templates',
        header: this.t('categories.templates'),
        width: 100,
        align: 'end',
        cell: ({ templates }) => this.format.number(templates.length),
        hint: ({ templates }) => templates.join(', ')
      },
      {
        id: 'optOuts',
        header: this.t('categories.optOuts'),
        width: 100,
        align: 'end',
        cell: ({ optOuts }) => this.format.number(optOuts)
      }
    ]
  }
}

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonError)
definePage('mailer-categories', CategoriesPage)
