// English of the Categories page.
import { type Messages, registerCatalog } from '@keelson/ui'

/** The English texts. */
export const texts = {
  'categories.title': 'Categories',
  'categories.note':
    'what recipients choose on the preference page; set in the config of the mailer',
  'categories.name': 'Category',
  'categories.description': 'Description',
  'categories.templates': 'Templates',
  'categories.optOuts': 'Opted out',
  'categories.none': 'No categories',
  'categories.noneText':
    'Add categories to the config of the mailer, so that recipients can choose what they get.',
  'categories.show': 'Show opt-outs of {category}'
} satisfies Messages

/** Adds the texts; cheap to call again. */
export function registerCategoriesTexts(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.ts') })
}
