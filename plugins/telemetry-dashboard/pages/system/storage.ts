// What is stored, for how long, and how a person is erased.
import { type Format, type TableColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { kindTag } from '../records/columns.ts'
import type { SystemAnswer } from './answer.ts'
import type { SystemWords } from './columns.ts'

type Kind = SystemAnswer['storage']['kinds'][number]
type Collection = SystemAnswer['storage']['collections'][number]

export interface StorageOptions extends SystemWords {
  readonly storage: SystemAnswer['storage']
  /** The tenant of the viewer; `*` for all. */
  readonly scope: string
}

function kindColumns({ t, format, now }: StorageOptions): TableColumn<Kind>[] {
  return [
    { id: 'kind', header: t('column.kind'), cell: ({ kind }) => kindTag(kind) },
    {
      id: 'records',
      header: t('storage.records'),
      width: 130,
      align: 'end',
      cell: ({ records }) => format.compact(records),
      hint: ({ records }) => format.number(records)
    },
    {
      id: 'last',
      header: t('storage.last'),
      width: 130,
      quiet: true,
      hideBelow: 520,
      cell: ({ lastAt }) => (lastAt === null ? '–' : timeText(lastAt, now, format))
    },
    {
      id: 'kept',
      header: t('storage.kept'),
      width: 110,
      align: 'end',
      cell: ({ retentionDays }) => keptText(retentionDays, t)
    }
  ]
}

const keptText = (days: number | null, t: SystemWords['t']): string =>
  days === null ? t('storage.forever') : t('storage.days', { count: days })

const figure = (
  id: string,
  header: string,
  read: (row: Collection) => string,
  more: object = {}
): TableColumn<Collection> => ({ id, header, width: 120, align: 'end', cell: read, ...more })

function collectionColumns(t: SystemWords['t'], format: Format): TableColumn<Collection>[] {
  return [
    { id: 'name', header: t('storage.collection'), mono: true, cell: ({ name }) => name },
    figure('documents', t('storage.documents'), ({ documents }) => format.compact(documents), {
      hideBelow: 460
    }),
    figure('stored', t('storage.stored'), ({ storedBytes }) => format.bytes(storedBytes)),
    figure('indexes', t('storage.indexes'), ({ indexBytes }) => format.bytes(indexBytes))
  ]
}

export function storagePart(options: StorageOptions): TemplateResult {
  const { storage, t, format, scope } = options
  const { kinds, collections } = storage
  const sum = collections.reduce((all, one) => all + one.storedBytes + one.indexBytes, 0)
  const tenant = scope === '*' ? '<tenant>' : scope
  const command = `keelson telemetry forget ${tenant} <type:id>`
  return html`<keelson-table
      heading=${t('storage.retention')}
      note=${t('storage.retentionNote')}
      .columns=${kindColumns(options)}
      .rows=${kinds}
      .rowId=${({ kind }: Kind) => kind}
    ></keelson-table>
    ${
      collections.length === 0
        ? nothing
        : html`<keelson-table
          heading=${t('storage.heading')}
          note=${t('storage.total', { size: format.bytes(sum) })}
          .columns=${collectionColumns(t, format)}
          .rows=${collections}
          .rowId=${({ name }: Collection) => name}
        ></keelson-table>`
    }
    <div class="card indexes">
      <h2>${t('storage.erasure')}</h2>
      <p class="quiet">${t('storage.erasureText')}</p>
      <div class="command">
        <code>${command}</code>
        <keelson-copy text=${command} label=${t('storage.copy')}></keelson-copy>
      </div>
    </div>`
}
