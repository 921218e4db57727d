/** The states of a task, in the order of the contracts' enum: an index here is the number on chain. */
export const taskStates = [
  'NONE',
  'POSTED',
  'CLAIMED',
  'ACTIVE',
  'DISPUTED',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
  'RESOLVED',
] as const

export type TaskState = (typeof taskStates)[number]

/** States in which a task waits for somebody; from each of them time and strangers alone reach an end. */
export const liveStates = ['POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED'] as const satisfies readonly TaskState[]

/** States that hold no money and never change again. */
export const terminalStates = ['COMPLETED', 'CANCELLED', 'EXPIRED', 'RESOLVED'] as const satisfies readonly TaskState[]

/** The states of a milestone, in enum order. SPLIT: shared by a ruling or a mutual cancel. */
export const milestoneStates = ['OPEN', 'DELIVERED', 'PAID', 'REFUNDED', 'SPLIT'] as const

export type MilestoneState = (typeof milestoneStates)[number]

/** Whether a task is posted for anyone or created from two signatures, in enum order. */
export const taskScopes = ['OPEN', 'PRIVATE'] as const

export type TaskScope = (typeof taskScopes)[number]

/** Who may claim an open task, in enum order. PERMIT: only with the poster's signed permit. */
export const claimPolicies = ['ANYONE', 'PERMIT'] as const

export type ClaimPolicy = (typeof claimPolicies)[number]

/** The phases of a dispute, in enum order. */
export const disputePhases = ['NONE', 'OPEN', 'EVIDENCE', 'RULED', 'CLOSED'] as const

export type DisputePhase = (typeof disputePhases)[number]
