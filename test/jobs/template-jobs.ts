// Jobs with templates: write one, look at it, mend it, publish it.
import { HTML, type Job } from './stage.ts'

export const templateJobs: readonly Job[] = [
  {
    name: 'Newsletter with blocks',
    async run(hand, stage) {
      await stage.open('templates')
      await hand.press('New template')
      await hand.type('Name', stage.named('Spring news'))
      await hand.press('Create')
      await hand.see('Start from an example')
      await hand.type('Subject', 'Four new things')
      await hand.press(/^Newsletter/)
      await hand.see('[Your text]')
      await hand.press(/^Add block/)
      await hand.press('Image')
      await hand.type('Alternative text', 'The harbour in spring')
      await hand.press(/^Add block/)
      await hand.press('Section, 2 columns')
      await stage.until(`templates/${stage.slug('spring-news')}`, ({ draft }) =>
        /mj-image.*The harbour.*<mj-column.*<mj-column/s.test(draft?.body.mjml ?? '')
      )
    }
  },
  {
    name: 'Preview on phone and desktop for three contacts',
    async run(hand, stage) {
      await stage.open('template/newsletter')
      const frame = hand.page.locator('iframe')
      const seen = new Set<string | null>()
      for (let contact = 0; contact < 3; contact += 1) {
        await hand.press('Next contact')
        await hand.page.waitForURL(/contact=/)
        seen.add(new URL(hand.page.url()).searchParams.get('contact'))
      }
      if (seen.size !== 3) throw new Error(`saw ${[...seen]}`)
      await hand.press('Phone')
      await hand.page.waitForURL(/view=phone/)
      await frame.waitFor()
      await hand.press('Desktop')
      await hand.page.waitForURL((url) => !url.search.includes('view'))
    }
  },
  {
    name: 'Test to yourself, publish',
    async run(hand, stage) {
      const slug = stage.slug('tested')
      await stage.call('POST', 'templates', {
        slug,
        name: stage.named('Tested'),
        kind: 'marketing'
      })
      await stage.call('PATCH', `templates/${slug}/draft`, { subject: 'Tested', html: HTML })
      await stage.open(`template/${slug}`)
      await hand.press('Test send')
      await hand.press('Send test mail')
      await hand.see(/^Test mail sent to admin@acme\.test/)
      await hand.press('Publish v1')
      await hand.see('Publish version 1?')
      await hand.press('Publish v1')
      await hand.see('v1 is live.')
    }
  },
  {
    name: 'Fix a lint error',
    async run(hand, stage) {
      const slug = stage.slug('faulty')
      await stage.call('POST', 'templates', {
        slug,
        name: stage.named('Faulty'),
        kind: 'marketing'
      })
      const html = HTML.replace(/<a .*<\/a>/, '')
      await stage.call('PATCH', `templates/${slug}/draft`, { subject: 'Faulty', html })
      await stage.open(`template/${slug}`)
      await hand.see('Not ready to publish:')
      await hand.press('Insert link')
      await hand.see('Unsubscribe link added.')
      await hand.missing('Not ready to publish:')
    }
  }
]
