// When a report was received, in each table of reports.
import { type KeelsonPage, type TableColumn, timeColumn } from '@keelson/ui'

export const received = <Row extends { readonly receivedAt: string }>(
  page: Pick<KeelsonPage, 't' | 'format'>
): TableColumn<Row> =>
  timeColumn(page, ({ receivedAt }) => receivedAt, {
    id: 'received',
    header: page.t('dmarc.received'),
    hideBelow: 640
  })
