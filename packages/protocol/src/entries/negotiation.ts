export {
  type Agreement,
  formatAgreement,
  InvalidAgreementError,
  maxAgreementLength,
  verifyAgreement,
} from '../negotiation/agreement.ts'
export { type ChainOptions, startChain, verifyChain } from '../negotiation/chain.ts'
export { buildEnvelope, type MessageDraft, parsePayload } from '../negotiation/draft.ts'
export {
  type Envelope,
  envelopeVersion,
  formatMessageLine,
  hashEnvelope,
  maxMessageBytes,
  maxMessages,
  parseMessage,
  parseMessageLine,
  type SignedMessage,
} from '../negotiation/envelope.ts'
export { applyMessage, foldTranscript } from '../negotiation/fold.ts'
export { type MergedTranscript, mergeTranscript } from '../negotiation/mergeTranscript.ts'
export { BrokenTranscriptError, MessageRefusedError } from '../negotiation/messageErrors.ts'
export type { MessagePayload, MessagePayloadJson } from '../negotiation/messages/index.ts'
export { type MessageType, messageTypes } from '../negotiation/messageTypes.ts'
export { countKept } from '../negotiation/race.ts'
export {
  listAllowedMessages,
  type NegotiationRole,
  type NegotiationRule,
  negotiationOutcomes,
  negotiationRules,
} from '../negotiation/rules.ts'
export { buildEnvelopeTypedData, type SealDomains, sealMessage } from '../negotiation/seal.ts'
export {
  createSignatureVerifier,
  rememberSignatures,
  type SignatureCheck,
  type VerifySignature,
  verifyKeySignature,
} from '../negotiation/signatures.ts'
export {
  type Acceptance,
  type CancellableState,
  type ChainEnd,
  cancellableStates,
  type Negotiation,
  type NegotiationPhase,
  negotiationPhases,
  type Party,
} from '../negotiation/state.ts'
export type { InboundMessage, Transport } from '../negotiation/transport.ts'
export { getNegotiationTurn } from '../negotiation/turn.ts'
