// What checks found in a template, and where. Pure.
import type { CheckAnswer, LintAnswer } from './answers.ts'
import { lineAt, lineSpan, type PlainField, placeOf, type Span } from './place-finding.ts'

/** How bad a finding is: errors block publishing. */
export type Severity = 'error' | 'warning' | 'info'

/** Something that was found. */
export interface Finding {
  readonly severity: Severity
  /** As `url_shortener`. */
  readonly rule: string
  readonly message: string
  readonly hint: string
  /** What the sentence names. */
  readonly facts?: Readonly<Record<string, string>>
  /** Where in the source; undefined when it is about a field or the whole mail. */
  readonly at?: Span & { readonly line: number }
  /** The field that it is about. */
  readonly field?: PlainField
}

const NO_FIELDS = { subject: '', preheader: '', fromEmail: '' }

/** All findings, errors first, with their places in the source. */
export function findingsOf(
  check: CheckAnswer | undefined,
  source: string,
  fields: Readonly<Record<PlainField, string>> = NO_FIELDS
): readonly Finding[] {
  if (check === undefined) return []
  const { refusal, reports, warnings } = check
  const lint = refusal?.lint ?? reports.lint
  const of = (severity: Severity, found: readonly LintAnswer[] = []) =>
    found.map(({ rule, message, hint = '', facts = {} }) => ({
      severity,
      rule,
      message,
      hint,
      facts
    }))
  const refused =
    refusal === null || (refusal.lint?.errors ?? []).length > 0
      ? []
      : of('error', [{ rule: refusal.error, message: refusal.message ?? refusal.error }])
  const unplaced = [
    ...refused,
    ...of('error', lint?.errors),
    ...of('warning', lint?.warnings),
    ...of('info', lint?.infos)
  ]
  return [
    ...unplaced.map((finding) => placed(finding, source, fields)),
    ...warnings.map(({ message, line }) => atLine(message, line, source))
  ].sort((a, b) => RANK[a.severity] - RANK[b.severity])
}

const RANK = { error: 0, warning: 1, info: 2 } as const

/** The same finding in the next check. */
export const keyOf = ({ rule, message }: Finding): string => `${rule} ${message}`

/** What the key goes through: the errors, and where there are none, everything. */
export function stopsOf(findings: readonly Finding[]): readonly Finding[] {
  const errors = findings.filter(({ severity }) => severity === 'error')
  return errors.length > 0 ? errors : findings
}

/** The one behind a finding among these; the first after the last. */
export function nextFinding(stops: readonly Finding[], key: string): Finding | undefined {
  const at = stops.findIndex((finding) => keyOf(finding) === key)
  return stops[(at + 1) % Math.max(1, stops.length)]
}

function placed(
  finding: Finding,
  source: string,
  fields: Readonly<Record<PlainField, string>>
): Finding {
  const place = placeOf(finding, source, fields)
  if (place === undefined) return finding
  if (typeof place === 'string') return { ...finding, field: place }
  const { from, to } = place
  return { ...finding, at: { from, to, line: lineAt(source, from) } }
}

function atLine(message: string, line: number | undefined, source: string): Finding {
  const finding: Finding = { severity: 'warning', rule: 'mjml', message, hint: '' }
  const span = line === undefined ? undefined : lineSpan(source, line)
  return span === undefined || line === undefined ? finding : { ...finding, at: { ...span, line } }
}
