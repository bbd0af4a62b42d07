// Jobs with any page: read it in another language, keep what was typed when the server fails.
import type { Job } from './stage.ts'

export const pageJobs: readonly Job[] = [
  {
    name: 'German',
    async run(hand, stage) {
      await stage.open('templates')
      if (hand.way === 'touch') await hand.press('Menu')
      await hand.press('Deutsch')
      await hand.page.getByRole('heading', { level: 1, name: 'Vorlagen' }).waitFor()
      if (hand.way === 'touch') await hand.press('Menü')
      await hand.press('English')
      await hand.page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
    }
  },
  {
    name: 'API failing: what was typed is kept',
    async run(hand, stage) {
      const slug = await stage.template('kept')
      await stage.open(`template/${slug}`)
      const drafts = '**/templates/*/draft'
      await hand.page.route(drafts, (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 503, json: { error: 'internal_error' } })
          : route.continue()
      )
      await hand.type('Subject', 'Typed while the server failed')
      await hand.see('Your changes are kept on this page.')
      await hand.page.unroute(drafts)
      await hand.press('Try again')
      await hand.page.getByText('Saved', { exact: true }).filter({ visible: true }).waitFor()
      await stage.until(
        `templates/${slug}`,
        ({ draft }) => draft?.subject === 'Typed while the server failed'
      )
    }
  }
]
