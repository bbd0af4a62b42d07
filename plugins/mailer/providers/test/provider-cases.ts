// What every provider must do with a mail, whatever carries it: one shared case file.

import { type Test, test } from 'tap'
import type { MailProvider, ProviderMessage } from '../../contracts/mailer-provider.ts'
import { sampleFiles, sampleMail, sampleSend } from './sample-mail.ts'

/**
 * What the other side does. `gone`: it cannot be reached. `cut` and `silent`: it reads the mail, and closes
 * the connection or never answers.
 */
export type Situation = 'taken' | 'refused' | 'busy' | 'unavailable' | 'gone' | 'cut' | 'silent'

/** A provider in a situation. */
export interface Staged {
  readonly provider: MailProvider
  /** Settles when the other side is silent. */
  readonly silent: Promise<void>
  /** The mails that reached the other side, as text. */
  received(): readonly string[]
}

/** A kind of provider under test. */
export interface ProviderKind {
  readonly name: string
  /** Never shown in a result, an error or its causes. */
  readonly secrets: readonly string[]
  stage(t: Test, situation: Situation): Promise<Staged>
  /** Cases that do not apply, with the reason. */
  readonly skip?: Partial<Record<Situation, string>>
}

/** How a hand-over ended. */
export async function outcomeOf(staged: Staged, mail: ProviderMessage = sampleMail) {
  const timeOut = new AbortController()
  void staged.silent.then(() => timeOut.abort(new Error('30 s have passed')))
  const send = sampleSend({ signal: timeOut.signal })
  return staged.provider.send(mail, send).then(
    (result) => ({ ...result, shown: JSON.stringify(result) }),
    (error: Error & { code?: string; retryAfterSeconds?: number }) => ({
      status: 'thrown' as const,
      code: error.code,
      retryAfterSeconds: error.retryAfterSeconds,
      shown: shownBy(error)
    })
  )
}

/** All that a log would hold of an error. */
const shownBy = (error: unknown): string =>
  error instanceof Error
    ? `${error.stack} ${JSON.stringify(error)} ${shownBy(error.cause)}`
    : String(error)

const expected: Readonly<Record<Situation, object>> = {
  taken: { status: 'accepted', providerId: /./ },
  refused: { status: 'rejected', reason: /no such user/ },
  busy: { status: 'thrown', code: 'MLR_MAIL_NOT_TAKEN', retryAfterSeconds: 7 },
  unavailable: { status: 'thrown', code: 'MLR_MAIL_NOT_TAKEN' },
  gone: { status: 'thrown', code: 'MLR_MAIL_NOT_TAKEN' },
  cut: { status: 'unknown', reason: /./ },
  silent: { status: 'unknown', reason: /./ }
}
const sentences: Readonly<Record<Situation, string>> = {
  taken: 'a mail that is taken has an id',
  refused: 'a mail that is refused for good is rejected, with the reason',
  busy: 'a vendor that is busy says when to try again',
  unavailable: 'a vendor that is unavailable does not have the mail',
  gone: 'a vendor that cannot be reached does not have the mail',
  cut: 'an answer that is lost behind the mail leaves the outcome unknown',
  silent: 'a vendor that never answers leaves the outcome unknown'
}

/** Runs the cases. */
export function providerCases(kind: ProviderKind): void {
  for (const situation of Object.keys(expected) as Situation[]) {
    const skip = kind.skip?.[situation]
    test(`${kind.name}: ${sentences[situation]}`, skip === undefined ? {} : { skip }, async (t) => {
      const staged = await kind.stage(t, situation)
      const outcome = await outcomeOf(staged)
      t.match(outcome, expected[situation])
      for (const secret of kind.secrets)
        t.notOk(outcome.shown.includes(secret), 'a secret is shown')
      t.ok(staged.received().length <= 1, 'the mail is handed over once')
    })
  }

  test(`${kind.name}: a header with a line break is refused before any call`, async (t) => {
    const staged = await kind.stage(t, 'taken')
    const mail = { ...sampleMail, headers: { 'X-A': 'a\r\nBcc: eve@evil.test' } }
    t.match(await outcomeOf(staged, mail), { status: 'rejected', reason: /X-A/ })
    t.same(staged.received(), [])
  })

  test(`${kind.name}: attachments travel with the mail`, async (t) => {
    const staged = await kind.stage(t, 'taken')
    const outcome = await outcomeOf(staged, { ...sampleMail, attachments: sampleFiles })
    t.match(outcome, { status: 'accepted' })
    const [received = ''] = staged.received()
    for (const { filename, content, ...file } of sampleFiles) {
      const forms = [content.toString('latin1'), content.toString('base64')]
      const names = [filename, 'contentId' in file ? file.contentId : filename]
      t.ok(
        names.some((name) => received.includes(name)),
        filename
      )
      t.ok(
        forms.some((form) => received.includes(form)),
        `the content of ${filename}`
      )
    }
  })

  test(`${kind.name}: a hand-over that was given up before it began makes no call`, async (t) => {
    const staged = await kind.stage(t, 'taken')
    const signal = AbortSignal.abort(new Error('closing'))
    await t.rejects(staged.provider.send(sampleMail, sampleSend({ signal })), {
      code: 'MLR_MAIL_NOT_TAKEN'
    })
    t.same(staged.received(), [])
  })

  test(`${kind.name}: a provider that one host has closed takes mail for the next`, async (t) => {
    const staged = await kind.stage(t, 'taken')
    await staged.provider.close?.()
    t.match(await outcomeOf(staged), { status: 'accepted' })
    t.equal(staged.received().length, 1)
  })
}
