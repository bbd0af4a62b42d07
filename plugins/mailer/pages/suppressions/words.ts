// English of suppressions wherever they are shown.
import { type Messages, registerCatalog } from '@keelson/ui'

const texts: Messages = {
  'scope.all': 'All mail',
  'scope.marketing': 'Marketing',
  'scope.transactional': 'Transactional',
  'scope.marketing_pause': 'Marketing, for a time',
  'scope.category': 'Category {category}',
  'suppressed.unsubscribed': 'Unsubscribed',
  'suppressed.hard_bounce': 'Hard bounce',
  'suppressed.complaint': 'Complaint',
  'suppressed.manual': 'Added by hand',
  'suppressed.list_cleaning': 'List cleaning',
  'suppressed.gdpr_forget': 'Forgotten contact'
}

/** Adds the texts; cheap to call again. */
export function registerSuppressionWords(): void {
  registerCatalog('en', texts)
}
