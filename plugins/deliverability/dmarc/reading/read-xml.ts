// Reads reports without a host: the XML of a file, and the report in some XML.
import type { AggregateRecord, AggregateReport } from '../aggregate/report.ts'
import { createReportParser } from '../aggregate/report-parser.ts'
import { readFile } from './read-file.ts'

/** A report with its records. */
export interface ParsedReport extends AggregateReport {
  readonly rows: readonly AggregateRecord[]
}

/**
 * The report in some XML (RFC 7489, RFC 9990). It is read at once, on the thread of the caller.
 *
 * @throws DMR_REPORT, DMR_DOCTYPE
 */
export function parseDmarcReport(xml: string): ParsedReport {
  const rows: AggregateRecord[] = []
  const parser = createReportParser((record) => rows.push(record))
  parser.write(xml)
  return { ...parser.end(), rows }
}

/**
 * The documents of aggregate reports in a file: XML, gzip, zip or a mail, by its content, within the limits of
 * uploads.
 *
 * @throws a DMR_ error when the file cannot be read or goes over a limit
 */
export async function extractDmarcXml(bytes: Uint8Array, filename = 'report'): Promise<string[]> {
  const found: string[] = []
  await readFile({ filename, bytes }, { visitXml: (xml) => found.push(xml) })
  return found
}
