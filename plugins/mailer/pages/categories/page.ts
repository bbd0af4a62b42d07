// The Categories page: what recipients choose from, with the templates and opt-outs of each.
import type { Static } from '@keelson/sdk'
import {
  definePage,
  type KeelsonPage,
  listPage,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import type { categorySchema } from '../../admin/setup/read-settings.ts'
import { mailHref } from '../addresses.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** A category as the API answers it. */
type CategoryAnswer = Static<typeof categorySchema>

const columns = ({ t, format }: KeelsonPage): TableColumn<CategoryAnswer>[] => [
  {
    id: 'name',
    header: t('categories.name'),
    link: true,
    cell: ({ label }) => label,
    hint: ({ id, label }) => `${id}: ${t('categories.show', { category: label })}`
  },
  {
    id: 'description',
    header: t('categories.description'),
    grow: 2,
    quiet: true,
    hideBelow: 560,
    cell: ({ description = '–' }) => description,
    hint: ({ description }) => description
  },
  {
    id: 'policy',
    header: t('categories.policy'),
    grow: 2,
    quiet: true,
    hideBelow: 760,
    cell: ({ policy }) => policyWords(policy, t) || '–'
  },
  {
    id: 'templates',
    header: t('categories.templates'),
    width: 100,
    align: 'end',
    cell: ({ templates }) => format.number(templates.length),
    hint: ({ templates }) => templates.join(', ')
  },
  {
    id: 'optOuts',
    header: t('categories.optOuts'),
    width: 100,
    align: 'end',
    cell: ({ optOuts }) => format.number(optOuts)
  }
]

/** How often and when, on one line. */
function policyWords(
  { minGapHours, maxPerRollingDays: most, quietHours }: NonNullable<CategoryAnswer['policy']> = {},
  t: KeelsonPage['t']
): string {
  return [
    minGapHours === undefined ? '' : t('categories.gap', { hours: minGapHours }),
    most === undefined ? '' : t('categories.most', { count: most.count, days: most.days }),
    quietHours === undefined ? '' : t('categories.quiet', quietHours)
  ]
    .filter(Boolean)
    .join(', ')
}

const CategoriesPage = listPage<CategoryAnswer>({
  styles: pageStyles,
  open(page) {
    const api = mailApi(page)
    return {
      texts: 'categories',
      source: { read: (_narrowing, _position, signal) => api.read('/categories', signal) },
      href: ({ id }) => mailHref(page, 'suppressions', { scope: `category:${id}` }),
      columns
    }
  }
})

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-categories', CategoriesPage)
