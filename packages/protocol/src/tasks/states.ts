/** The states of a task in the order of the contract enum: the index is the value on chain. */
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

/** The states of a running task. From each of them, anyone can bring the task to an end once its deadlines have passed. */
export const liveStates = ['POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED'] as const satisfies readonly TaskState[]

/** Final states: no money is held, and the task never changes again. */
export const terminalStates = ['COMPLETED', 'CANCELLED', 'EXPIRED', 'RESOLVED'] as const satisfies readonly TaskState[]

/** The states of a milestone, in enum order. SPLIT: divided by a ruling or a mutual cancel. */
export const milestoneStates = ['OPEN', 'DELIVERED', 'PAID', 'REFUNDED', 'SPLIT'] as const

export type MilestoneState = (typeof milestoneStates)[number]

/** The scopes of a task, in enum order. OPEN: posted for anyone. PRIVATE: created from two signatures. */
export const taskScopes = ['OPEN', 'PRIVATE'] as const

export type TaskScope = (typeof taskScopes)[number]

/** Who can claim an open task, in enum order. PERMIT: only with a permit signed by the poster. */
export const claimPolicies = ['ANYONE', 'PERMIT'] as const

export type ClaimPolicy = (typeof claimPolicies)[number]

/** What every surface shows for a claim policy. */
export const claimPolicyLabels: Readonly<Record<ClaimPolicy, string>> = {
  ANYONE: 'Anyone can claim',
  PERMIT: "Needs the poster's permit",
}

/** The phases of a dispute, in enum order. */
export const disputePhases = ['NONE', 'OPEN', 'EVIDENCE', 'RULED', 'COURT', 'CLOSED'] as const

export type DisputePhase = (typeof disputePhases)[number]

/** How a dispute ended, in enum order. CONCEDED: one side gave everything up. */
export const disputeEndings = ['NONE', 'RULED', 'DECIDED', 'TIMED_OUT', 'SETTLED', 'CONCEDED', 'CANCELLED'] as const

export type DisputeEnding = (typeof disputeEndings)[number]
