// Jobs with contacts: find out why one gets no mail, subscribe and suppress, import and export.
import { readFile } from 'node:fs/promises'
import type { GivenFile } from './hand.ts'
import type { Job } from './stage.ts'

const csv = (text: string): GivenFile => ({
  name: 'list.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text)
})

export const peopleJobs: readonly Job[] = [
  {
    name: 'Why no mail for one contact',
    async run(hand, stage) {
      const [number = 0] = stage.numbers(191, 1)
      await stage.open('contacts')
      await hand.type('ID, address or name', `user${number}@`)
      await hand.page.keyboard.press('Enter')
      await hand.page.waitForURL(/search=/)
      await hand.press(hand.page.locator(`tr[data-id="u${number}"]`))
      await hand.page.waitForURL(/\/contact\//)
      await hand.see('No marketing mail: this contact never subscribed.')
      await hand.see(/Receipts and account mail are sent\./)
    }
  },
  {
    name: 'Unsubscribe, resubscribe',
    async run(hand, stage) {
      const [number = 0] = stage.numbers(150, 1)
      await stage.call('POST', `contacts/u${number}/resubscribe`, {})
      await stage.open(`contact/u${number}`)
      await hand.press('Unsubscribe')
      await hand.see(/^Unsubscribe user/)
      await hand.press('Unsubscribe')
      await hand.see('No marketing mail: this contact unsubscribed.')
      await hand.press('Resubscribe')
      await hand.see(/again\?$/)
      await hand.press('Resubscribe')
      await hand.see('Marketing mail is sent.')
    }
  },
  {
    name: 'Suppress; import and export suppressions',
    async run(hand, stage) {
      const mine = (name: string) => `${name}-${stage.way}@example.test`
      await stage.open('suppressions')
      await hand.press('Suppress address')
      await hand.type('Address', mine('gone'))
      await hand.press('Suppress')
      await hand.see(`${mine('gone')} is suppressed`)
      await hand.press('Import CSV')
      await hand.file('CSV file', csv(`email,scope\n${mine('first')},all\nbroken,all\n`))
      await hand.see(/^Line 2: first-/)
      await hand.press('Import CSV')
      await hand.see('1 address is suppressed.')
      await hand.see(/^Line 3:/)
      await hand.press('Done')
      const download = hand.page.waitForEvent('download')
      await hand.press('Export CSV')
      const text = await readFile(await (await download).path(), 'utf8')
      if (!text.includes(mine('first'))) throw new Error(`the file misses an address: ${text}`)
    }
  },
  {
    name: 'Import contacts: where they come from',
    async run(hand, stage) {
      await stage.open('contacts')
      await hand.see('from the app that hosts the mailer')
    }
  },
  {
    name: 'Contacts who do not get marketing mail, as a list',
    async run(hand, stage) {
      const [number = 0] = stage.numbers(160, 1)
      await stage.call('POST', `contacts/u${number}/unsubscribe`, {})
      await stage.open('contacts')
      await hand.choose('State', 'unsubscribed')
      await hand.page.waitForURL(/state=unsubscribed/)
      await hand.see(/^\d+ contacts?$/)
      await hand.page.locator(`tr[data-id="u${number}"]`).waitFor()
      const download = hand.page.waitForEvent('download')
      await hand.press('Export CSV')
      const text = await readFile(await (await download).path(), 'utf8')
      if (!text.includes(`u${number},`)) throw new Error(`the file misses a contact: ${text}`)
    }
  },
  {
    name: 'All marketing mail paused and resumed',
    isAlone: true,
    async run(hand, stage) {
      await stage.open('settings')
      await hand.press('Pause all marketing mail')
      await hand.type('Reason', 'Wrong prices')
      await hand.press('Pause all marketing mail')
      await hand.see(/by admin@acme\.test: Wrong prices/)
      await hand.press('Resume marketing mail')
      await hand.see('Marketing mail is being sent.')
    }
  }
]
