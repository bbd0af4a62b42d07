// The page of Digest plugin: a table of services, those with the most errors first.
import { apiOf, definePage, listPage, registerCatalog, timeColumn } from '@keelson/ui'
import type { DigestAnswer, Service } from '../../schemas.ts'
import texts from './texts.en.json' with { type: 'json' }

const DigestPage = listPage<Service>({
  open(page) {
    const { t } = page
    const api = apiOf(page)
    return {
      texts: 'digest',
      source: {
        async read(_narrowing, _position, signal) {
          return (await api.read<DigestAnswer>('/api/errors', signal)).items
        }
      },
      skeleton: 5,
      columns: () => [
        { id: 'service', header: t('digest.service'), cell: ({ service }) => service },
        {
          id: 'errors',
          header: t('digest.errors'),
          width: 110,
          align: 'end',
          cell: ({ errors }) => page.format.number(errors)
        },
        timeColumn(page, ({ lastAt }) => lastAt, {
          id: 'last',
          header: t('digest.last'),
          width: 120
        })
      ]
    }
  }
})

registerCatalog('en', texts)
definePage('digest-plugin-digest', DigestPage)
