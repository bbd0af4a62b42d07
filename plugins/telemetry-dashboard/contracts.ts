// telemetry.subject-labels/v1: names that people know, for the subjects of telemetry records.

import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** A friendly name for a subject, and where the host shows it. */
export interface SubjectLabel {
  readonly label: string
  /** An address of the host that shows the subject. */
  readonly href?: string
}

/** Names subjects for people. */
export interface SubjectAdapter {
  /**
   * Labels by ref. Called with at most 100 refs, each `<type>:<id>`; leave out those you do not know. When
   * several plugins know a ref, the first contribution wins. A throw fails the read that asked.
   */
  describe(refs: readonly string[]): Promise<Readonly<Record<string, SubjectLabel>>>
}

/** Owned by the telemetry dashboard, which shows the labels. */
export const telemetrySubjectLabels: ExtensionPoint<SubjectAdapter> =
  defineExtensionPoint<SubjectAdapter>(
    'telemetry.subject-labels/v1',
    Type.Object(requiredFunctions('describe'))
  )
