/** The values of an envelope's `type`. */
export const messageTypes = [
  'TaskProposal',
  'TaskAcceptance',
  'TaskCounterOffer',
  'DeliveryNotice',
  'AcceptDelivery',
  'DisputeEvidence',
  'ArbitratorProposal',
  'MilestoneDefinition',
  'RevisionRequest',
  'PaymentRequest',
  'CapabilityProof',
  'MutualCancel',
  'ReplacementContext',
  'SupervisorVeto',
  'IdentityLink',
] as const

export type MessageType = (typeof messageTypes)[number]
