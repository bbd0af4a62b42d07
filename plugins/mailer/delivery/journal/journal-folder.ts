// Where the journals of deliveries are. Pure.
import { dirname, join } from 'node:path'
import type { ResolvedConfig } from '../../ledger/check-config.ts'

/** The folder of the setting, or one beside the file of unsubscribes; undefined without both. */
export function journalFolder({
  handOverJournalDir,
  pendingUnsubsPath
}: Pick<ResolvedConfig, 'handOverJournalDir' | 'pendingUnsubsPath'>): string | undefined {
  if (handOverJournalDir !== undefined) return handOverJournalDir
  return pendingUnsubsPath === undefined
    ? undefined
    : join(dirname(pendingUnsubsPath), 'hand-overs')
}
