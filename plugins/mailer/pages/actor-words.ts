// Who did something, as the audit log names it, in words.
import { type KeelsonPage, registerCatalog } from '@keelson/ui'
import texts from './actor-words.en.json' with { type: 'json' }

/** `human:ada@acme.test` without its kind; programs with what they are. A plugin that is named alone acts on its own. */
export function actorWords(actor: string, t: KeelsonPage['t']): string {
  registerCatalog('en', texts, {
    de: () => import('./actor-words.de.json', { with: { type: 'json' } })
  })
  const [, kind = 'system', who = actor] = /^(human|agent|oauth|system):(.*)$/.exec(actor) ?? []
  if (kind === 'human') return who
  const [first = '', ...more] = who.split(':')
  if (kind === 'oauth') return t('actor.oauth', { name: more.join(':') })
  if (kind === 'agent') return t('actor.agent', { name: who })
  return t('actor.system', { name: [first.replaceAll('-', ' '), ...more].join(' ') })
}
