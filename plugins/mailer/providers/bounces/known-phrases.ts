// Phrases by which mail servers say why they refuse a mail, in the order in which they decide. Pure.
import type { BounceClass } from '../../contracts/mailer-provider.ts'

type Phrases = readonly (readonly [BounceClass, RegExp])[]

/** What a machine answers for a person. */
const AUTO_REPLY =
  /\b(out of (the )?office|auto(matic|mated)?[- ]?(reply|response|responder)|vacation (message|reply)|away from (my|the) (desk|office)|abwesenheit)/i

/** Our address or domain has a bad name with the receiver. */
const BLOCK =
  /(spamhaus|barracuda|spamcop|sorbs|uceprotect|surbl|invaluement|proofpoint dynamic|cloudmark|senderscore|talos|\b(dns|r)bl\b|blocked (using|by|due to|for)|block ?list|black ?list|deny ?list|(is|are|been|being|temporarily) (currently )?(blocked|banned|block listed)|banned (sender|sending)|bad reputation|(poor|low|very low) reputation|reputation of|sender reputation|unsolicited mail originating|unusual rate of unsolicited|\bTSS0\d\b|\bTS0[134]\b|\[?(CS01|S3150|S3140|S775|RP-00\d)\]?|part of their network|\bAUP#|\bIB\d{3}\b|no smtp service|nemesis.*(service not available|black)|too much spam|spam (source|abuse)|(sender|ip|address|host|connection).{0,30} rejected (due to|for) reputation|traffic not accepted from this ip|exceeded (the|your) .{0,20}threshold)/i

/** The message itself is refused. */
const CONTENT =
  /(spam (message|content|detected|score|mail)|(as|be|is|looks like|considered|identified as|classified as|high probability of) spam\b|spam[- ]?(filter|check)|unsolicited mail|\bvirus\b|malware|phish|message content|content (rejected|refused|not accepted|filter)|(message|size|mail).{0,20} (too (large|big)|exceeds)|exceeds.{0,30}(size|limit).{0,10}(message)?|(file|attachment).{0,30}(not allowed|rejected|blocked|type)|prohibited (file|attachment)|forbidden.{0,20}(attachment|content)|suspicious (due to|content)|message (refused|rejected) by content|\bHVU:|\bURIBL?_|bad (header|message) )/i

/** A rule of the receiver that we do not keep. */
const POLICY =
  /(relay(ing)? (access )?(denied|not (permitted|allowed))|unable to relay|not permitted to relay|\bDMARC\b|\bDKIM\b|\bSPF\b|unauthenticated|not authenticated|authentication (required|check|level|credentials)|(reverse (dns|lookup)|\bPTR\b|\brDNS\b)|sender (address )?(rejected|verif|denied|not allowed)|sender verify|(bad|invalid|unresolvable|forged) sender|sender domain|gr[ea]y ?list|gr[ea]y-?listed|rate ?limit|too (many|fast|quickly)|rate that|deferred due to|try again later.{0,30}policy|administrative(ly)? prohibi|access denied|not (allowed|authori[sz]ed) to (send|mail)|restricted to|policy (reasons?|violation|rejection|restrictions?|of)|(local|our|by|against|security) policy|\bHELO\b|\bEHLO\b|\bTLS\b|RESOLVER\.RST|throttl|limit(s)? (exceeded|reached)|unusual (sending|traffic))/i

/** The mailbox takes no more. */
const FULL =
  /((mail)?box|inbox|account|user|recipient|maildir|storage).{0,40}\b(is |was )?(over ?quota|over (the|its) .{0,10}(quota|limit)|full\b|exceed(s|ed).{0,25}(quota|storage|limit|size)|out of (space|storage))|over ?quota|quota (exceeded|exceed|reached|is full)|exceed(s|ed).{0,15} (storage|quota|mailbox)|mailfolder is full|insufficient (mailbox|user) (storage|space)|no space left for|disk quota/i

/** There is no such mailbox. */
const MAILBOX =
  /(\b(user|recipient|mailbox|address|account|email|e-mail|local ?part)\b.{0,60}\b(unknown|not? (be )?found|does(n['’]t| not)( seem to)? (exist|have)|do(es)? not exist|not exist|non-?existent|invalid|disabled|inactive|suspended|deactivated|no longer (exists?|available|valid|in use|active|works?|accepts?)|closed|terminated|discontinued|not (listed|known|valid|recogni[sz]ed|active|available here|local|our customer|hosted))|\b(no such|unknown|invalid|non-?existent|inactive|nonexistent) (person|user|users|recipient|mailbox|address|account|local ?part|virtual user|domain|alias|customer)\b|no (mailbox|account|mail-?box|user|recipient)( here)? (by|with|here|for|of|found|exists?)|(isn['’]t|is not|not) (a )?(known|valid|our) (user|recipient|mailbox|address|customer)|not our customer|unrouteable address|address rejected|rejected: (user|recipient|no such|unknown)|doesn['’]t have a .{0,20}account|mailbox (is )?unavailable|mailbox not (available|here)|recipientnotfound|null mx|domain .{0,80}does not (exist|accept mail)|account has been (disabled|deleted|closed|suspended)|unbekannt|utilisateur inconnu|adresse (inconnue|d au moins un destinataire invalide)|usuario desconocido|casella inesistente|invalid recipient)/i

/** Mail could not get there. */
const ROUTING =
  /(time[d]?[- ]?out|connection (refused|reset|lost|dropped|died|failed)|(host|domain|network|mx)( name)? (not found|unreachable|unavailable|down)|no route|no mx|(name|dns|mx) (service|lookup|resolution|query|server)|dns (error|failure|domain)|too many hops|hop count|mail loop|loop(s)? back|routing loop|(message|delivery|queue).{0,30}expired|retry time ?out|unable to (connect|lookup|deliver in)|could not connect|insufficient system (storage|resources)|(service|system|server) .{0,30}(unavailable|not available|down|busy|too busy)|queue file write error|temporarily unable to process|internal (server )?error|local error)/i

/** For good, as said to an address: in the order in which they decide. */
const ALL: Phrases = [
  ['block', BLOCK],
  ['mailbox_full', FULL],
  ['mailbox', MAILBOX],
  ['content', CONTENT],
  ['policy', POLICY],
  ['routing', ROUTING],
  ['auto_reply', AUTO_REPLY]
]
/** Behind a code of class x.7, which is never about the mailbox. */
const SECURITY: Phrases = [
  ['block', BLOCK],
  ['content', CONTENT],
  ['policy', POLICY]
]
/** Sentences that have words of two classes, and what they mean. */
const EXACT: Phrases = [
  // Cox and Charter name our address and mean its reputation.
  ['block', /\bAUP#/],
  // Exchange Online refuses recipients that it does not know at the edge.
  ['mailbox', /recipient address rejected: access denied/i],
  ['mailbox', /dns domain .{0,80}does not exist|infodomainnonexistent/i],
  [
    'policy',
    /sender (address )?(rejected|verify failed|verification)|(unverified|relay).{0,10} (address|recipient)|sender domain/i
  ],
  ['policy', /receiving mail (too quickly|at a rate)/i],
  ['content', /message (refused|rejected): invalid address in header/i],
  [
    'policy',
    /recipient address rejected: (gr[ea]y|policy|spf|please see|too many|temporarily|try again|service)/i
  ],
  ['policy', /(user|account|sender|recipient).{0,40}(authentication|login|smtp auth)/i]
]

/** What words mean. Long ones are cut, so that reading them takes bounded time. */
export function classOfPhrase(words: string, isAboutPolicy: boolean): BounceClass | undefined {
  const text = words.slice(0, MOST_WORDS)
  const tables = isAboutPolicy ? [SECURITY] : [EXACT, ALL]
  for (const table of tables) {
    const found = table.find(([, pattern]) => pattern.test(text))
    if (found !== undefined) return found[0]
  }
  return undefined
}

const MOST_WORDS = 2_000
