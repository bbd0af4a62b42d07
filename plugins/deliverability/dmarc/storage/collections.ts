// The collections of the plugin, typed.
import type { Host, PrepareHost } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import type {
  AlertRow,
  DnsCheckRow,
  FailureRow,
  IngestRow,
  RecordRow,
  ReportRow,
  ReverseNameRow,
  SettingsRow,
  SourceRow,
  SourceTagRow,
  TlsRow
} from './rows.ts'

export interface DmarcCollections {
  readonly reports: Collection<ReportRow>
  readonly records: Collection<RecordRow>
  readonly ingests: Collection<IngestRow>
  readonly sources: Collection<SourceRow>
  readonly failures: Collection<FailureRow>
  readonly tlsReports: Collection<TlsRow>
  readonly sourceTags: Collection<SourceTagRow>
  readonly reverseNames: Collection<ReverseNameRow>
  readonly settings: Collection<SettingsRow>
  readonly alerts: Collection<AlertRow>
  readonly dnsChecks: Collection<DnsCheckRow>
}

export function openCollections(host: Pick<Host | PrepareHost, 'collection'>): DmarcCollections {
  return {
    reports: host.collection('dmarc_reports'),
    records: host.collection('dmarc_records'),
    ingests: host.collection('dmarc_ingests'),
    sources: host.collection('dmarc_sources'),
    failures: host.collection('dmarc_failure_reports'),
    tlsReports: host.collection('dmarc_tls_reports'),
    sourceTags: host.collection('dmarc_source_tags'),
    reverseNames: host.collection('dmarc_reverse_names'),
    settings: host.collection('dmarc_settings'),
    alerts: host.collection('dmarc_alerts'),
    dnsChecks: host.collection('dmarc_dns_checks')
  }
}
