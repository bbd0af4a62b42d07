// The Templates page: every template with its state; a new one.
import {
  choiceField,
  definePage,
  formField,
  formText,
  icon,
  KeelsonDialog,
  listPage,
  registerCatalog,
  searchField
} from '@keelson/ui'
import { html } from 'lit'
import { oneHref } from '../addresses.ts'
import { mailApi } from '../mail-api.ts'
import { nameFields } from '../name-fields.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { matches, type TemplateLine } from './answers.ts'
import { templateColumns } from './columns.ts'
import texts from './texts.en.json' with { type: 'json' }

const KINDS = ['marketing', 'transactional'] as const

const TemplatesPage = listPage<TemplateLine>({
  styles: pageStyles,
  uses: [KeelsonDialog],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    const kinds = () => KINDS.map((kind) => [kind, t(`mail.${kind}`)] as const)
    return {
      texts: 'templates',
      source: {
        idOf: ({ slug }) => slug,
        words: api.words,
        read: (_narrowing, _position, signal) => api.read('/templates', signal),
        keeps: matches
      },
      filters: { params: ['q', 'kind'] },
      header: () =>
        html`<a class="btn primary" href=${page.address({ dialog: 'new' })}>${icon('plus', 14)}${t('templates.new')}</a>`,
      above: () => html`<div class="row">
        ${searchField(page, 'q', t('templates.search'), { live: true })}
        ${choiceField(page, 'kind', {
          label: t('templates.kind'),
          choices: [['', t('templates.allKinds')], ...kinds()]
        })}
      </div>`,
      emptyAction: () =>
        html`<a class="btn" href=${page.address({ dialog: 'new' })}>${t('templates.new')}</a>`,
      href: ({ slug }) => oneHref(page, 'template', slug),
      columns: templateColumns,
      dialogs: {
        new: () => ({
          heading: t('templates.new'),
          action: t('mail.create'),
          body: html`${nameFields(t)}
            ${formField(
              t('templates.kind'),
              html`<select class="field" name="kind">${kinds().map(([kind, words]) => html`<option value=${kind}>${words}</option>`)}</select>`,
              t('templates.kindHint')
            )}`,
          async send(form) {
            const [name, slug, kind] = ['name', 'slug', 'kind'].map((field) =>
              formText(form, field)
            )
            const made = await api.act<TemplateLine>('POST', '/templates', { name, slug, kind })
            page.page.navigate(oneHref(page, 'template', made.slug))
            return null
          }
        })
      }
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-templates', TemplatesPage)
