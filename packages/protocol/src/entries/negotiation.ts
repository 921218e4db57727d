export { type Agreement, formatAgreement, InvalidAgreementError, verifyAgreement } from '../negotiation/agreement.ts'
export { startChain, verifyChain } from '../negotiation/chain.ts'
export { buildEnvelope } from '../negotiation/draft.ts'
export {
  type Envelope,
  formatMessageLine,
  hashEnvelope,
  maxMessageBytes,
  parseMessageLine,
  type SignedMessage,
} from '../negotiation/envelope.ts'
export { applyMessage, foldTranscript } from '../negotiation/fold.ts'
export { BrokenTranscriptError, MessageRefusedError } from '../negotiation/messageErrors.ts'
export type { MessagePayload } from '../negotiation/messages/index.ts'
export { type MessageType, messageTypes } from '../negotiation/messageTypes.ts'
export { listAllowedMessages, negotiationOutcomes, negotiationRules } from '../negotiation/rules.ts'
export { buildEnvelopeTypedData, sealMessage } from '../negotiation/seal.ts'
export { createSignatureVerifier, type VerifySignature, verifyKeySignature } from '../negotiation/signatures.ts'
export type { Negotiation } from '../negotiation/state.ts'
export type { InboundMessage, Transport } from '../negotiation/transport.ts'
export { getNegotiationTurn } from '../negotiation/turn.ts'
