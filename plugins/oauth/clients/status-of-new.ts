// The status of a client that came by itself. Pure.
import type { OAuthClient } from '../storage/rows.ts'

/** Active, or disabled until an administrator, of a tenant too, enables it. */
export const statusOfNew = (
  needsApproval: boolean
): Pick<OAuthClient, 'status' | 'disabledBy' | 'awaitsApproval'> =>
  needsApproval
    ? { status: 'disabled', disabledBy: 'tenant', awaitsApproval: true }
    : { status: 'active' }
