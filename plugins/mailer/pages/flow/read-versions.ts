// What the versions of a flow are shown from: the list, and the steps of two of them.
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { MailApi } from '../mail-api.ts'
import type { VersionAnswer, VersionLine } from './answers.ts'

/** The versions of a flow, and the steps of the one that is shown and of the one before. */
export interface ShownVersions {
  readonly versions: readonly VersionLine[]
  /** 0 for the draft, which has its steps from elsewhere. */
  readonly shown: number
  readonly before: readonly FlowStep[]
  readonly after: readonly FlowStep[]
}

/** Reads the versions, and the steps of one and of the one before; an unknown version has none. */
export async function readVersions(
  api: MailApi,
  flow: string,
  shown: number
): Promise<ShownVersions> {
  const path = `${flow}/versions`
  const stepsOf = async (version: number) =>
    (version > 0 && (await api.find<VersionAnswer>(`${path}/${version}`))?.steps) || []
  const [versions, before, after] = await Promise.all([
    api.read<readonly VersionLine[]>(path),
    stepsOf(shown - 1),
    stepsOf(shown)
  ])
  return { versions, shown, before, after }
}
