// Finds leases made by hand: what only one process may do is `host.lease`, the only lease. Pure.

/** Files where times decide who may work on a row, with the reason why each is not a lease. */
export const OWN_CLAIMS = {
  'sdk/queue/queue-store.ts': 'items of a queue are claimed by the batch',
  'plugins/mailer/ledger/queued-row.ts': 'the fields of the queue in its rows',
  'plugins/mailer/delivery/outages/outages.ts': 'the time of the next probe is all that is kept',
  'plugins/agent/idempotency/answer-row.ts':
    'the row of a request is its claim and its answer in one durable write',
  'kernel/schedule/job-repository.ts': "agenda's documents"
}

/** Names of fields that say who works on something, and until when. */
const FIELD =
  /\b((?:lease|leased|claim|claimed|lock|locked|held|taken|owned|reserved)(?:Until|Till|At|Expires|ExpiresAt)|leaseId|leaseOwner|leaseEnd|[a-z]+Lease)\b(?=['"]?\??:(?!\s*(?:typeof|\(|Take|Lease\b)))/
/** A write that asks whether a time is over and sets the same field to a later time. */
const CLAIM =
  /\b(?:updateOne|findOneAndUpdate|replaceOne)(?:<[^>]*>)?\((?:(?!\n\n)[\s\S]){0,300}?['"]?([\w.]+)['"]?: \{ \$lte?: [\s\S]{0,300}?\$set: \{(?:(?!\n\n)[\s\S]){0,200}?['"]?\1['"]?: (?:new Date\(|later|until|lease\w+\()/

/**
 * What is wrong, a sentence each.
 *
 * @param modules Path of each module that is not a test, with its text.
 * @param own Reasons of the exceptions, by path. One that is not needed is a problem, too.
 */
export function handMadeLeases(modules, own = OWN_CLAIMS) {
  const made = modules.flatMap(({ path, text }) => {
    const field = FIELD.exec(text)?.[1] ?? CLAIM.exec(text)?.[1]
    return field === undefined ? [] : [{ path, field }]
  })
  const found = made
    .filter(({ path }) => !(path in own))
    .map(
      ({ path, field }) =>
        `${path}: "${field}" looks like a lease made by hand; use host.lease, which has an owner and is renewed`
    )
  const paths = new Set(made.map(({ path }) => path))
  const over = Object.keys(own)
    .filter((path) => !paths.has(path))
    .map((path) => `.build/hand-made-leases.mjs: ${path} makes no lease: delete the exception`)
  return [...found, ...over]
}
