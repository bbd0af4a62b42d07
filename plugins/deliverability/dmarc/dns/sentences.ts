// What a check of DNS records says.
import { defineSentences } from '@keelson/sdk'

/** By code: that of the finding behind `dns.`; pages have the same in other languages. */
export const dnsSentences = {
  'dns.lookup_failed': 'No DNS server answered for {names}.',
  'dns.dmarc_multiple': '{domain} has {count} DMARC records: receivers ignore all of them.',
  'dns.dmarc_invalid': 'The DMARC record of {domain} is invalid: {problem}.',
  'dns.dmarc_missing': '{domain} has no DMARC record.',
  'dns.dmarc_tag_invalid': 'The tag {tag} of the DMARC record of {at} is invalid: {problem}.',
  'dns.inherits_org_policy': '{domain} has no DMARC record: that of {at} applies.',
  'dns.policy_none': 'The policy is none: receivers report failing mail and deliver it.',
  'dns.policy_testing': 'The record says t=y: receivers apply the next weaker policy.',
  'dns.pct_partial': 'The policy applies to {pct}% of failing mail, and new receivers ignore pct.',
  'dns.rua_missing': 'The DMARC record asks for no reports.',
  'dns.rua_missing_report_address': 'The DMARC record does not send reports to {wanted}.',
  'dns.external_auth_missing':
    '{other} does not agree to take reports about {domain}: receivers send it none.',
  'dns.rua_domain_no_mx': 'Reports go to {other}, which takes no mail.',
  'dns.spf_missing': '{domain} has no SPF record.',
  'dns.spf_multiple': '{domain} has {count} SPF records: receivers fail all its mail.',
  'dns.spf_invalid': 'The SPF record of {domain} is invalid: {problem}.',
  'dns.spf_too_many_lookups':
    'The SPF record needs {lookups} look-ups; receivers stop after {most} and fail the mail.',
  'dns.spf_void_lookups': '{lookups} names of the SPF record do not exist; receivers allow {most}.',
  'dns.spf_discouraged': 'In the SPF record of {domain}, {remark}.',
  'dns.spf_permissive': 'The SPF record ends with {all}all: every server may send for {domain}.',
  'dns.dkim_testing':
    'The DKIM selector {selector} is in test mode (t=y): receivers treat its mail as if it were not signed.',
  'dns.dkim_missing': 'The DKIM selector {selector} has no key.',
  'dns.dkim_revoked': 'The DKIM selector {selector} has an empty key: it was revoked.',
  'dns.dkim_weak_key':
    'The DKIM selector {selector} has a key of less than 1024 bits, which receivers refuse.',
  'dns.dkim_invalid': 'The DKIM selector {selector} has a key that cannot be read.',
  'dns.mta_sts_missing': '{domain} has no MTA-STS policy.',
  'dns.mta_sts_invalid': 'The MTA-STS policy of {domain} is invalid.',
  'dns.mta_sts_testing': 'The MTA-STS policy of {domain} only tests.',
  'dns.tls_rpt_invalid': 'The TLS-RPT record of {domain} is invalid.',
  'dns.tls_rpt_missing': '{domain} asks for no TLS reports.',
  'dns.bimi_invalid': 'The BIMI record of {domain} is invalid.',
  'dns.bimi_policy': 'Logos (BIMI) are shown only under quarantine or reject, also for subdomains.'
} as const

export const say = defineSentences(dnsSentences)
