// Which refusals of a mail server are about the mailbox, and which say nothing about it.
import { test } from 'tap'
import { mailboxRefusal } from './refused-mailbox.ts'

const CASES: readonly (readonly [string, string, 'hard' | 'soft' | undefined])[] = [
  ['RCPT TO', '550 5.1.1 <a@b.test>: user unknown', 'hard'],
  ['RCPT TO', '550-5.1.1 The account does not exist\n550 5.1.1 try again', 'hard'],
  ['RCPT TO', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'hard'],
  ['RCPT TO', '553 5.1.2 no such domain', 'hard'],
  ['RCPT TO', '556 5.1.10 null MX', 'hard'],
  ['RCPT TO', '550 5.2.1 The account is disabled', 'hard'],
  ['DATA', '550 5.1.1 no such user', 'hard'],
  ['RCPT TO', '550 No such user here', 'hard'],
  ['RCPT TO', '552 5.2.2 mailbox is full', 'soft'],
  ['RCPT TO', '550 5.1.8 bad sender address', undefined],
  ['RCPT TO', '550 5.1.7 bad sender syntax', undefined],
  ['MAIL FROM', '550 5.1.1 no such user', undefined],
  ['RCPT TO', '550 5.7.1 relaying denied', undefined],
  [
    'DATA',
    '550 5.7.515 Access denied, sending domain does not meet the required authentication level',
    undefined
  ],
  ['DATA', '550 5.7.26 unauthenticated mail is prohibited', undefined],
  ['DATA', '554 5.7.1 user unknown to our filter: spam', undefined],
  ['RCPT TO', '550 blocked by our policy', undefined],
  ['DATA', '554 message refused: invalid address in header', undefined],
  ['RCPT TO', '554 5.4.4 no route to host', undefined]
]

for (const [command, response, expected] of CASES) {
  test(`${command} answered ${response.slice(0, 50)} is ${expected ?? 'no'} bounce`, async (t) => {
    const responseCode = Number(response.slice(0, 3))
    t.equal(mailboxRefusal({ command, response, responseCode }), expected)
  })
}
